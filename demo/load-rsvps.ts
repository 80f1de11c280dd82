/** Once occurrences exist: those of fixture events around today become occurrences with answers. */
import type { Database } from '../src/db/database.ts'
import { identifier, sql } from '../src/db/sql.ts'
import { addDays } from './calendar.ts'
import { highestFixtureId, lowestFixtureId } from './fixture-id.ts'
import { defaultSeed } from './generate-fixtures.ts'
import type { FixtureTarget } from './load-fixtures.ts'
import { upsertRows } from './load-fixtures.ts'
import { generateRsvps, type Invited, type Occurrence } from './rsvps.ts'

export async function loadRsvps(database: Database, target: FixtureTarget): Promise<void> {
  const { schema, today, seed = defaultSeed } = target
  await database.transaction(async transaction => {
    const occurrences = await transaction.query<Occurrence>(sql`
      select id, event_id, masjid_id, capacity, to_char(starts_local, 'YYYY-MM-DD"T"HH24:MI:SS') as starts_local,
        to_char(starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as starts_at
      from ${identifier(schema, 'up_event_occurrences')}
      where starts_at between ${addDays(today, -14)}::date and ${addDays(today, 28)}::date
        and event_id between ${lowestFixtureId} and ${highestFixtureId}
        and status = 'scheduled' and deleted_at is null
      order by event_id, starts_local`)
    const members = await transaction.query<Invited>(sql`
      select id, masjid_id from ${identifier(schema, 'ua_members')}
      where id between ${lowestFixtureId} and ${highestFixtureId} and status = 'active' and deleted_at is null
      order by email`)
    const rows = generateRsvps({ seed, now: `${today}T00:00:00Z`, occurrences, members })
    await upsertRows(transaction, identifier(schema, 'up_event_rsvps'), rows)
    target.onProgress?.('up_event_rsvps', rows.length)
  })
}
