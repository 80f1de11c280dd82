// What tests of writing need besides rows: accounts, the writer's rights, and statements that leave nothing behind.
import { dataScopes } from '../../src/access/scopes.ts'
import { createLogger } from '../../src/base/log.ts'
import { findStructure, readModel } from '../../src/catalog/read-model.ts'
import type { Database, Queryable } from '../../src/db/database.ts'
import { givingWay } from '../../src/db/giving-way.ts'
import { readerGroups } from '../../src/db/roles.ts'
import { type Sql, sql } from '../../src/db/sql.ts'

interface Account {
  readonly id: string
  readonly admin?: boolean
  readonly disabled?: boolean
}

export const account = (owner: Queryable, { id, admin = false, disabled = false }: Account): Promise<unknown> =>
  owner.run(sql`
    insert into minaret.users (id, email, name, is_admin, disabled_at)
    values (${id}, ${`${id}@example.org`}, 'Somebody', ${admin}, case when ${disabled} then now() end)`)

/** Gives the roles of the API the rights that the service would give them. */
export const grantRights = async (database: Database): Promise<void> => {
  const options = {
    schema: 'public',
    reader: readerGroups.public,
    knownScopes: dataScopes,
    log: createLogger('warn'),
    database: givingWay(database),
  } as const
  await readModel(options, await findStructure(options))
}

export type Settings = Readonly<Record<string, string>>

/** Runs statements as the API's writer would, in one transaction that is kept. */
export const writeAs = <Row extends object>(
  owner: Database,
  settings: Settings,
  ...statements: readonly Sql[]
): Promise<Row[]> =>
  owner.transaction(async transaction => {
    for (const [name, value] of Object.entries(settings))
      await transaction.run(sql`select set_config(${`minaret.${name}`}, ${value}, true)`)
    await transaction.run(sql`set local role minaret_writer`)
    let rows: Row[] = []
    for (const statement of statements) rows = await transaction.query<Row>(statement)
    return rows
  })

class Undone extends Error {}

/** The same without leaving anything behind: how many rows the last statement returned, or why it was refused. */
export const tryAs = async (
  owner: Database,
  settings: Settings,
  ...statements: readonly Sql[]
): Promise<number | string> => {
  let rows = 0
  try {
    await owner.transaction(async transaction => {
      for (const [name, value] of Object.entries(settings))
        await transaction.run(sql`select set_config(${`minaret.${name}`}, ${value}, true)`)
      await transaction.run(sql`set local role minaret_writer`)
      for (const statement of statements) rows = (await transaction.query(statement)).length
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) return (error as { code?: string }).code ?? String(error)
  }
  return rows
}
