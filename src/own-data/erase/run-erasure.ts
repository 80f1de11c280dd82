// An erasure that is due → carried out: one transaction for each table, the account itself last. Every step can be repeated, so
// that one who is interrupted, even by the loss of power, is followed by another who begins again.
import { setTimeout as delay } from 'node:timers/promises'
import { recordAudit, systemActor } from '../../audit/record-audit.ts'
import { sha256 } from '../../base/secrets.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { fullName, type OwnTable } from '../own-table.ts'
import { findPerson, type Person } from '../person.ts'
import { readOwnTables } from '../read-tables.ts'
import { eraseStatement } from './erase-table.ts'
import { orderTables } from './order-tables.ts'
import { tellApps } from './tell-apps.ts'

interface ErasureRow {
  readonly user_id: string
  readonly started: boolean
  readonly email: string | null
  readonly member_ids: string[]
  readonly household_ids: string[]
}

/** What the later steps need is written down first: they delete what it was found by. */
const begin = async (transaction: Queryable, userId: string): Promise<Person> => {
  const person = await findPerson(transaction, userId, { alone: true })
  await transaction.run(sql`
    update minaret.erasures set started_at = now(), email = ${person.email ?? null},
      member_ids = ${person.memberIds}::uuid[], household_ids = ${person.householdIds}::uuid[]
    where user_id = ${userId}`)
  await tellApps(transaction, userId)
  return person
}

const claim = (database: Database): Promise<Person | undefined> =>
  database.transaction(async transaction => {
    const row = await transaction.first<ErasureRow>(sql`
      update minaret.erasures set tried_at = clock_timestamp()
      where user_id = (select user_id from minaret.erasures
        where due_at <= now() order by tried_at nulls first, due_at limit 1 for update skip locked)
      returning user_id, started_at is not null as started, email, member_ids, household_ids`)
    if (row === undefined) return undefined
    const { user_id: userId, email, member_ids: memberIds, household_ids: householdIds } = row
    return row.started ? { userId, email: email ?? undefined, memberIds, householdIds } : begin(transaction, userId)
  })

/** The account and its erasure are the last step. */
const last = new Set(['minaret.users', 'minaret.erasures'])

const eraseTable = async (queryable: Queryable, table: OwnTable, person: Person): Promise<void> => {
  const statement = eraseStatement(table, person)
  if (statement !== undefined) await queryable.run(statement)
}

const finish = (database: Database, tables: readonly OwnTable[], person: Person): Promise<void> =>
  database.transaction(async transaction => {
    const { userId } = person
    const waiting = await transaction.run(sql`select from minaret.erasures where user_id = ${userId} for update`)
    // Another process was faster.
    if (waiting === 0) return
    for (const table of tables) await eraseTable(transaction, table, person)
    await transaction.run(sql`update minaret.users set erased_at = now(), updated_at = now() where id = ${userId}`)
    await transaction.run(sql`
      insert into minaret.erased_accounts (account_hash) values (${sha256(userId)}) on conflict do nothing`)
    await recordAudit(transaction, { action: 'account.erased', actor: systemActor, userId })
  })

/** @returns whether there was one. */
export const runNextErasure = async (database: Database): Promise<boolean> => {
  const person = await claim(database)
  if (person === undefined) return false
  const tables = orderTables(await readOwnTables(database))
  for (const table of tables)
    if (!last.has(fullName(table))) await database.transaction(transaction => eraseTable(transaction, table, person))
  await finish(
    database,
    tables.filter(table => last.has(fullName(table))),
    person,
  )
  return true
}

const LOOK_AGAIN_MS = 200
const LONGEST_MS = 600_000

/** Another process may have taken it: then its end is waited for. */
export const runUntilErased = async (database: Database, userIds: readonly string[]): Promise<void> => {
  for (const end = performance.now() + LONGEST_MS; performance.now() < end; ) {
    if (await runNextErasure(database)) continue
    const left = await database.first(sql`
      select from minaret.erasures where user_id = any (${userIds}::uuid[]) limit 1`)
    if (left === undefined) return
    await delay(LOOK_AGAIN_MS)
  }
  throw new Error('The account could not be erased in time; the service goes on with it.')
}
