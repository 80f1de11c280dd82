// A few rows with gaps, ties and awkward characters, the same in every run.
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { openDatabase, type Queryable } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { keepStructure } from '../support/keep-structure.ts'
import { makeTemplate } from '../support/template.ts'

export const masjidId = (number: number): string =>
  `00000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`
export const memberId = (number: number): string =>
  `00000000-0000-4000-8000-0000000010${String(number).padStart(2, '0')}`
export const userId = (number: number): string => `00000000-0000-4000-8000-0000000020${String(number).padStart(2, '0')}`

const statements = [
  `insert into up_entities (id, legal_name, country, registration_no, kind)
   select ('00000000-0000-4000-8000-0000000030' || lpad(n::text, 2, '0'))::uuid, 'Entity ' || n, 'US', '00-' || n,
     (array['nonprofit', 'trust', 'school'])[n]::up_entity_kind from generate_series(1, 3) n`,
  `insert into up_masjids (id, entity_id, slug, name, name_ar, address, city, state, country, latitude, longitude, timezone,
     languages, facilities, capacity, adjustments, verification, verified_at)
   select ('00000000-0000-4000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid,
     case when n % 4 > 0 then ('00000000-0000-4000-8000-0000000030' || lpad((n % 4)::text, 2, '0'))::uuid end,
     'masjid-' || n,
     (array['Larkspur Lane Masjid', 'Tansy Masjid', 'Yarrow "Quoted" Masjid', 'Ölive Masjid', 'Sorrel \\ Masjid', 'Fennel Masjid'])[1 + n % 6] || ' ' || n,
     case when n % 3 = 0 then 'مسجد' end,
     n || ' Street', (array['Raleigh', 'Durham', 'Cary'])[1 + n % 3], case when n % 5 > 0 then 'NC' end, 'US',
     35 + n / 10.0, -78 - n / 10.0, 'America/New_York',
     (array['{en}', '{en,ar}', '{ur,en,ar}', '{}'])[1 + n % 4]::text[],
     (array['{}', '{wudu,parking}', '{parking,library}'])[1 + n % 3]::up_facility[],
     case when n % 4 <> 1 then n * 50 end, case when n % 2 = 0 then '{"fajr": 2}' else '{}' end::jsonb,
     case when n % 2 = 0 then 'verified' else 'unverified' end::up_verification,
     case when n % 2 = 0 then timestamptz '2026-01-01 12:00:00+00' + n * interval '1 day' end
   from generate_series(1, 12) n`,
  `update up_masjids set deleted_at = now() where slug = 'masjid-12'`,
  `insert into up_events (id, masjid_id, title, category, mode, online_url, starts_local, duration_minutes, timezone, capacity)
   select ('00000000-0000-4000-8000-00000040' || lpad(m::text, 2, '0') || lpad(n::text, 2, '0'))::uuid,
     ('00000000-0000-4000-8000-0000000000' || lpad(m::text, 2, '0'))::uuid, 'Event ' || m || '.' || n,
     (array['lecture', 'class', 'youth'])[1 + (m + n) % 3]::up_event_category,
     case when n % 2 = 0 then 'online' else 'in_person' end::up_event_mode,
     case when n % 2 = 0 then 'https://example.org/' || m end,
     timestamp '2026-03-01 18:00' + m * interval '1 day' + n * interval '1 hour', 30 * n, 'America/New_York',
     case when n <> 3 then 10 * n + m end
   from generate_series(1, 11) m, generate_series(1, 5) n where n <= m % 6`,
  `insert into ua_members (id, masjid_id, user_id, role, given_name, email, joined_on, consent_api_sharing, consent_at)
   select ('00000000-0000-4000-8000-0000000010' || lpad(n::text, 2, '0'))::uuid,
     ('00000000-0000-4000-8000-00000000000' || (1 + n % 2))::uuid,
     ('00000000-0000-4000-8000-0000000020' || lpad(n::text, 2, '0'))::uuid,
     case when n = 1 then 'board' else 'member' end::ua_member_role, 'Sample Member ' || n, 'member' || n || '@example.org',
     date '2025-01-01' + n, n % 3 = 0, case when n % 3 = 0 then timestamptz '2026-01-01 00:00:00+00' end
   from generate_series(1, 14) n`,
  `insert into ua_donations (id, masjid_id, member_id, amount_minor, currency, fund, method, status, received_at)
   select ('00000000-0000-4000-8000-0000000050' || lpad(n::text, 2, '0'))::uuid,
     ('00000000-0000-4000-8000-00000000000' || (1 + (1 + n % 14) % 2))::uuid,
     ('00000000-0000-4000-8000-0000000010' || lpad((1 + n % 14)::text, 2, '0'))::uuid, 1000 * n, 'USD',
     (array['general', 'zakat'])[1 + n % 2]::ua_fund, 'card', 'succeeded', timestamptz '2026-02-01 00:00:00+00' + n * interval '1 hour'
   from generate_series(1, 30) n`,
  'analyze',
]

export const loadFixture = async (database: Queryable): Promise<void> => {
  for (const statement of statements) await database.run(rawSql(statement))
}

const fill = async (connection: Connection): Promise<void> => {
  const database = openDatabase(connection, { poolSize: 1, log: createLogger('silent') })
  await loadFixture(database).finally(() => database.close())
  await keepStructure(connection)
}

/** Most tests of GraphQL need these rows; they are inserted and analyzed once per run. */
export const fixtureTemplate = (from: string): Promise<string> => makeTemplate({ name: `${from}_fixture`, from, fill })
