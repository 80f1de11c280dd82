// A date of an event that guests may answer, their form, and the links that they are sent.
import { sql } from '../../src/db/sql.ts'
import { type Masjid, makeMasjid } from '../staff/use-staff.ts'
import { holdOccurrence } from '../support/events.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { createPerson, type Person, type Shown } from '../support/person.ts'

export interface Held {
  readonly masjid: Masjid
  readonly occurrence: string
  readonly path: string
}

export const holdEvent = async (
  { service: { database } }: TestMinaret,
  { guests = true, capacity = null }: { readonly guests?: boolean; readonly capacity?: number | null } = {},
): Promise<Held> => {
  const masjid = await makeMasjid(database)
  await database.run(sql`update public.up_masjids set guest_rsvps = ${guests} where id = ${masjid.id}`)
  const occurrence = await holdOccurrence(database, masjid.id, capacity)
  return { masjid, occurrence, path: `/m/${masjid.slug}/events/${occurrence}` }
}

export const guestFields = (email: string): Record<string, string> => ({
  name: 'Yusuf Guest',
  email,
  status: 'going',
  size: '2',
})

/** From a network of its own, unless it is said. */
let networks = 0
export const guestFrom = ({ baseUrl }: TestMinaret, network?: string): Person => {
  networks += 1
  const address = network ?? `198.51.${Math.floor(networks / 250)}.${networks % 250}`
  return createPerson(baseUrl, { 'x-forwarded-for': address })
}

export const answerAsGuest = (
  minaret: TestMinaret,
  { path }: Pick<Held, 'path'>,
  fields: Record<string, string>,
): Promise<Shown> => guestFrom(minaret).submit(path, path, fields)

export interface GuestMail {
  readonly subject: string
  readonly text: string
}

export const mailsTo = ({ service: { database } }: TestMinaret, email: string): Promise<GuestMail[]> =>
  database.query<GuestMail>(sql`select subject, text from minaret.outbox where recipient = ${email} order by id`)

/** Of the newest mail, without the address of the service. */
export const linkTo = async (minaret: TestMinaret, email: string): Promise<string> => {
  const [mail] = (await mailsTo(minaret, email)).slice(-1)
  const [link = ''] = /\/rsvp\/confirm\?\S+/.exec(mail?.text ?? '') ?? []
  return link
}

export const confirm = (minaret: TestMinaret, link: string): Promise<Shown> =>
  guestFrom(minaret).submit(link, '/rsvp/confirm', {})

export interface GuestRow {
  readonly status: string
  readonly party_size: number
  readonly guest_name: string | null
  readonly guest_email: string | null
  readonly user_id: string | null
}

export const rowsOf = (
  { service: { database } }: TestMinaret,
  { occurrence }: Pick<Held, 'occurrence'>,
): Promise<GuestRow[]> =>
  database.query<GuestRow>(sql`
    select status, party_size, guest_name, guest_email, user_id from public.up_event_rsvps
    where occurrence_id = ${occurrence} order by responded_at`)

export const goingTo = async (
  { service: { database } }: TestMinaret,
  { occurrence }: Pick<Held, 'occurrence'>,
): Promise<number> => {
  const row = await database.first<{ going_count: number }>(
    sql`select going_count from public.up_event_occurrences where id = ${occurrence}`,
  )
  return row?.going_count ?? -1
}
