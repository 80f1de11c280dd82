// The logins that read and write, whose names and passwords come from the secret: who still uses the former ones, and their end.
import type { Connection } from '../../db/connection.ts'
import type { Queryable } from '../../db/database.ts'
import { loginNames, readerConnection, readerGroups, writerConnection, writerGroups } from '../../db/roles.ts'
import { quoteIdentifier, rawSql, sql } from '../../db/sql.ts'

/** Connections of processes that know only the former secret. */
export const countFormerLogins = async (database: Queryable, former: string): Promise<number> => {
  const row = await database.first<{ count: number }>(sql`
    select count(*)::int as count from pg_stat_activity where usename = any (${loginNames(former)})`)
  return row?.count ?? 0
}

export const createLogins = async (owner: Connection, secret: string): Promise<void> => {
  for (const group of Object.values(readerGroups)) await readerConnection(owner, group, secret)
  for (const group of Object.values(writerGroups)) await writerConnection(owner, group, secret)
}

/** @returns those that are left, because of a right that the owner lacks. */
export const dropLogins = async (database: Queryable, former: string): Promise<string[]> => {
  const left: string[] = []
  for (const name of loginNames(former)) {
    const gone = database.run(rawSql(`drop role if exists ${quoteIdentifier(name)}`)).then(() => true)
    if (!(await gone.catch(() => false))) left.push(name)
  }
  return left
}
