// A table and a person → the condition that finds the person's rows.
import { identifier, joinSql, type Sql, sql } from '../db/sql.ts'
import type { SubjectKind } from './erase-rule.ts'
import type { OwnColumn, OwnTable } from './own-table.ts'
import type { Person } from './person.ts'

const among = (column: Sql, type: string, ids: readonly string[]): Sql =>
  type === 'uuid' ? sql`${column} = any (${ids}::uuid[])` : sql`${column} = any (${ids}::text[])`

const conditions: Readonly<Record<SubjectKind, (column: Sql, type: string, person: Person) => Sql>> = {
  account: (column, type, { userId }) => among(column, type, [userId]),
  member: (column, type, { memberIds }) => among(column, type, memberIds),
  household: (column, type, { householdIds }) => among(column, type, householdIds),
  email: (column, _type, { email }) => sql`lower(${column}) = lower(${email ?? null}::text)`,
  session: (column, _type, { userId }) =>
    sql`${column} in (select id from minaret.sessions where user_id = ${userId}::uuid)`,
}

const conditionsOf = ({ name, type, subjects }: OwnColumn, person: Person): Sql[] =>
  subjects.map(kind => conditions[kind](identifier('own', name), type, person))

/** For a statement that has the table as `own`. */
export const rowsOf = ({ columns }: OwnTable, person: Person): Sql =>
  sql`(${joinSql(
    columns.flatMap(column => conditionsOf(column, person)),
    ' or ',
  )})`

/** Whether a value of such a row is the person's: not the address of an administrator who changed the account, say. */
export const isTheirs = ({ whose }: OwnColumn, { userId }: Person): Sql | undefined =>
  whose === undefined ? undefined : sql`coalesce(${identifier('own', whose)} = ${userId}::uuid, true)`
