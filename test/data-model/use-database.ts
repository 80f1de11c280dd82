// One database for a test file: as its owner, and as a reader under row-level security.
import { after, before } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase, type Queryable } from '../../src/db/database.ts'
import { identifier, joinSql, type Sql, sql } from '../../src/db/sql.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

export interface DataModel {
  readonly owner: Database
  /** Reads like the GraphQL reader, with the settings that identify the caller. */
  read<Row extends object>(settings: Readonly<Record<string, string>>, statement: Sql): Promise<Row[]>
  /** With the owner's rights, and the settings that identify the caller. */
  asking<Row extends object>(settings: Readonly<Record<string, string>>, statement: Sql): Promise<Row[]>
}

export const useDatabase = (prepare: (owner: Database) => Promise<void> = async () => undefined): (() => DataModel) => {
  let database: TestDatabase | undefined
  let owner: Database | undefined
  before(async () => {
    database = await createTestDatabase()
    owner = openDatabase(database.connection, { poolSize: 2, log: createLogger('silent') })
    await owner.run(sql`grant select on all tables in schema public to minaret_reader`)
    await prepare(owner)
  })
  after(async () => {
    await owner?.close()
    await database?.drop()
  })
  return () => {
    if (owner === undefined) throw new Error('The database does not exist yet.')
    return { owner, read: asking(owner, sql`set local role minaret_reader`), asking: asking(owner) }
  }
}

const asking =
  (owner: Database, asRole?: Sql): DataModel['read'] =>
  <Row extends object>(settings: Readonly<Record<string, string>>, statement: Sql) =>
    owner.transaction(async transaction => {
      for (const [name, value] of Object.entries(settings)) {
        await transaction.run(sql`select set_config(${`minaret.${name}`}, ${value}, true)`)
      }
      if (asRole !== undefined) await transaction.run(asRole)
      return transaction.query<Row>(statement)
    })

export type Values = Readonly<Record<string, unknown>>

/** Writes one row of plain values; arrays and documents are given as JSON. */
export const insertRow = async (queryable: Queryable, table: string, values: Values): Promise<string> => {
  const names = Object.keys(values).map(name => identifier(name))
  const columns = joinSql(names)
  const row = await queryable.first<{ id: string }>(sql`
    insert into ${identifier('public', table)} (${columns})
    select ${columns} from jsonb_populate_record(null::${identifier('public', table)}, ${JSON.stringify(values)}::jsonb)
    returning id`)
  return row?.id ?? ''
}
