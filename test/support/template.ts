// A database to copy: made by the first test of a run that needs it, however many need it at the same time.
import type { Connection } from '../../src/db/connection.ts'
import { adminConnection, asAdmin } from './database.ts'

export interface Recipe {
  readonly name: string
  /** The template it starts as a copy of. */
  readonly from: string
  fill(connection: Connection): Promise<void>
}

const TEMPLATE_LOCK = 6_206_150

/** An unfinished one, as a killed test leaves it, is made again. */
const make = ({ name, from, fill }: Recipe): Promise<string> =>
  asAdmin(async client => {
    const unfinished = `${name}_unfinished`
    await client.query('select pg_advisory_lock($1, hashtext($2))', [TEMPLATE_LOCK, name])
    const found = await client.query('select from pg_database where datname = $1', [name])
    if (found.rowCount === 0) {
      await client.query(`drop database if exists ${unfinished} with (force)`)
      await client.query(`create database ${unfinished} template ${from} strategy file_copy`)
      await fill({ ...adminConnection(), database: unfinished })
      await client.query(`alter database ${unfinished} rename to ${name}`)
    }
    return name
  })

/** Those that this process knows to be there. */
const made = new Map<string, Promise<string>>()

/** The name of the template. */
export const makeTemplate = (recipe: Recipe): Promise<string> => {
  const known = made.get(recipe.name) ?? make(recipe)
  made.set(recipe.name, known)
  return known
}
