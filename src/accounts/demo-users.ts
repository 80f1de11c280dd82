// The accounts of a development installation: one per role, always with the same ids.
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { createUser } from './users.ts'

/** Publicly known, so only used in development. */
export const DEMO_PASSWORD = 'lantern-over-water'

export interface DemoUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly isReviewer: boolean
  readonly isAdmin: boolean
  /** Looks after a masjid of the demo data, and nothing else. */
  readonly isStaff?: true
}

export const demoUsers: readonly DemoUser[] = [
  {
    id: 'd0000000-0000-4000-8000-000000000001',
    email: 'admin@example.org',
    name: 'Khadija Rahman',
    isReviewer: true,
    isAdmin: true,
  },
  {
    id: 'd0000000-0000-4000-8000-000000000002',
    email: 'member@example.org',
    name: 'Yusuf Karim',
    isReviewer: false,
    isAdmin: false,
  },
  {
    id: 'd0000000-0000-4000-8000-000000000003',
    email: 'developer@example.org',
    name: 'Maryam Haddad',
    isReviewer: false,
    isAdmin: false,
  },
  {
    id: 'd0000000-0000-4000-8000-000000000004',
    email: 'reviewer@example.org',
    name: 'Idris Bello',
    isReviewer: true,
    isAdmin: false,
  },
  {
    id: 'd0000000-0000-4000-8000-000000000005',
    email: 'staff@example.org',
    name: 'Safiya Noor',
    isReviewer: false,
    isAdmin: false,
    isStaff: true,
  },
]

/** Creates the missing ones. @returns how many */
export const createDemoUsers = async (database: Database): Promise<number> => {
  const known = await database.query<{ id: string; email: string }>(
    sql`select id, lower(email) as email from minaret.users where lower(email) = any(${demoUsers.map(({ email }) => email)})
      or id = any(${demoUsers.map(({ id }) => id)}::uuid[])`,
  )
  const missing = demoUsers.filter(({ id, email }) => known.every(user => user.id !== id && user.email !== email))
  for (const user of missing) await createUser(database, { ...user, password: DEMO_PASSWORD, emailVerified: true })
  return missing.length
}
