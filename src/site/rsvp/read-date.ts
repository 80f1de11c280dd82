// The id of a date → its event and masjid, as everybody may see them.
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import type { PublicMasjid } from '../masjid/public-masjid.ts'
import type { MasjidEvent, Occurrence } from '../staff/events/event.ts'

export interface EventDate extends Occurrence {
  readonly event: Pick<MasjidEvent, 'title' | 'description' | 'audience' | 'location' | 'online_url' | 'status'>
  readonly masjid: Pick<PublicMasjid, 'slug' | 'name' | 'name_ar' | 'country' | 'timezone'> & {
    readonly guest_rsvps: boolean
  }
}

const DATE = `query Date($id: uuid!) {
  date: up_event_occurrences_by_pk(id: $id) {
    id starts_at ends_at status capacity going_count waitlisted_count
    event { title description audience location online_url status }
    masjid { slug name name_ar country timezone guest_rsvps }
  }
}`

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Undefined also if its event or its masjid is gone. */
export const readDate = async (graphql: Engine, id: string, address: string): Promise<EventDate | undefined> => {
  if (!isUuid(id)) return undefined
  const { date } = await askPublic<{
    readonly date: (EventDate & { event: EventDate['event'] | null; masjid: EventDate['masjid'] | null }) | null
  }>(graphql, { query: DATE, variables: { id }, address })
  return date !== null && date.event !== null && date.masjid !== null ? date : undefined
}

type Closed = 'cancelled' | 'over'

/** Why it cannot be answered, as `refuse_closed_occurrence` has it. */
export const whyClosed = ({ status, event, ends_at }: EventDate, now: Date): Closed | undefined => {
  if (status === 'cancelled' || event.status === 'cancelled') return 'cancelled'
  return new Date(ends_at) <= now ? 'over' : undefined
}
