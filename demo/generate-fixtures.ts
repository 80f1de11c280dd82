/** A seed and a day become the rows of every table: the same seed gives the same data, and dates move with today. */
import { generateEntities, generateMasjids } from './directory.ts'
import { generateEvents } from './events.ts'
import { generateGiving } from './giving.ts'
import { generatePeople } from './people.ts'
import { generateIqamahSchedules, generateSources } from './prayer.ts'

export type FixtureRow = Readonly<Record<string, unknown>> & { readonly id: string }

export type Fixtures = {
  /** In an order in which each table comes after those it refers to. */
  readonly tables: readonly { readonly name: string; readonly rows: readonly FixtureRow[] }[]
  /** Members whom demo accounts may be linked to: an administrator and a plain member of the first masjid. */
  readonly people: { readonly admin: string; readonly member: string }
}

export const defaultSeed = 1447

export function generateFixtures({ seed = defaultSeed, today }: { seed?: number; today: string }): Fixtures {
  const masjids = generateMasjids(seed, today)
  const people = generatePeople(seed, today, masjids)
  const giving = generateGiving(seed, today, masjids, people.members)
  const tables = {
    up_entities: generateEntities(seed, masjids),
    up_masjids: masjids,
    ua_households: people.households,
    ua_members: people.members,
    up_events: generateEvents(seed, today, masjids),
    ua_campaigns: giving.campaigns,
    ua_recurring_donations: giving.recurring,
    ua_donations: giving.donations,
    pc_prayer_sources: generateSources(seed, today, masjids),
    pc_iqamah_schedules: generateIqamahSchedules(seed, today, masjids),
  }
  return {
    tables: Object.entries(tables).map(([name, rows]) => ({ name, rows: rows as readonly FixtureRow[] })),
    people: { admin: people.members[0]?.id ?? '', member: people.members[3]?.id ?? '' },
  }
}
