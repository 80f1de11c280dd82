// An empty development installation → invented masjids, people, events and donations, and accounts to sign in with.

import { createDemoUsers, demoUsers } from '../accounts/demo-users.ts'
import type { Clock } from '../base/clock.ts'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { loadFixtures } from '../fixtures/load-fixtures.ts'
import { loadRsvps } from '../fixtures/load-rsvps.ts'
import { createDemoApps, type DemoApps } from './demo-apps.ts'

export interface DemoInput {
  readonly database: Database
  readonly clock: Clock
  /** Where the credentials of the demo apps are kept, so that later starts can show them. */
  readonly dataDir: string
  readonly onProgress: (text: string) => void
}

const today = (clock: Clock): string => clock.now().toISOString().slice(0, 10)

const userId = (email: string): string => demoUsers.find(user => user.email === email)?.id ?? ''

const target = (clock: Clock) =>
  ({
    schema: 'public',
    today: today(clock),
    users: {
      admin: userId('admin@example.org'),
      member: userId('member@example.org'),
      staff: userId('staff@example.org'),
    },
  }) as const

export const isEmpty = async (database: Database): Promise<boolean> =>
  (await database.first(sql`select from public.up_masjids limit 1`)) === undefined

/** Loads the demo data, or moves the dates of existing demo data to today. */
export const loadDemo = async ({ database, clock, dataDir, onProgress }: DemoInput): Promise<DemoApps> => {
  onProgress('Filling in demo data')
  await createDemoUsers(database)
  await loadFixtures(database, target(clock))
  return createDemoApps(database, dataDir)
}

/**
 * Once, whoever comes first: the others wait, and then find it done. The lock is held by a transaction of its own, as loading
 * takes several.
 */
export const loadDemoOnce = (input: DemoInput): Promise<void> =>
  input.database.transaction(async lock => {
    await lock.run(sql`set local lock_timeout = '10min'`)
    await lock.run(sql`select pg_advisory_xact_lock(${advisoryLocks.demoData})`)
    if (await isEmpty(input.database)) await loadDemo(input)
  })

/** RSVPs for the demo events, if there are none yet. */
export const loadMissingRsvps = async ({ database, clock }: Pick<DemoInput, 'database' | 'clock'>): Promise<void> => {
  const known = await database.first(sql`select from public.up_event_rsvps limit 1`)
  if (known === undefined) await loadRsvps(database, target(clock))
}
