// SQL that plans what most visitors ask for, so that a connection has read what PostgreSQL's catalogue says about it when the first of
// them comes: planning a masjid's page reads a thousand pages of it otherwise.
import { NIL_UUID } from '../base/uuid.ts'
import type { DataSchema } from '../db/data-schema.ts'
import { quoteIdentifier } from '../db/sql.ts'

/** Not run, only planned. */
export const rehearsalIn = (schema: DataSchema): string => {
  const table = (name: string): string => `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
  const ofMasjid = (name: string, also = ''): string =>
    `(select to_json(found)::text from ${table(name)} found where found.masjid_id = masjid.id${also} limit 1)`
  const ofOccurrence = `(select event.title from ${table('up_events')} event where event.id = occurrence.event_id)`
  return `explain (costs off) select to_json(masjid)::text,
    ${ofMasjid('pc_prayer_times', ' and found.date = current_date')},
    ${ofMasjid('up_announcements', ' and found.starts_at <= now()')},
    ${ofMasjid('pc_calculated_times', ' and found.date = current_date')},
    (select ${ofOccurrence} from ${table('up_event_occurrences')} occurrence
      where occurrence.masjid_id = masjid.id and occurrence.starts_at > now() order by occurrence.starts_at limit 1)
    from ${table('up_masjids')} masjid where masjid.id = '${NIL_UUID}'::uuid or masjid.slug = ''`
}
