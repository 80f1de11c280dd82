// A client of the owner → which migrations of this version have not run, and which have run that this version does not know.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { migrationTargets } from './migration-targets.ts'

export interface MissingMigrations {
  /** As `schema/name`, in the order in which they would run. */
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
}

/** The names of this version's migrations. */
export const knownMigrations = (folder: 'identity' | 'data'): string[] =>
  readdirSync(fileURLToPath(new URL(`../../migrations/${folder}`, import.meta.url)))
    .map(file => file.replace(/\.sql$/, ''))
    .sort()

const ranMigrations = async (client: pg.Client, table: string): Promise<string[]> => {
  const { rows: found } = await client.query('select to_regclass($1) is not null as there', [`minaret.${table}`])
  if (!found[0].there) return []
  const { rows } = await client.query<{ name: string }>(`select name from minaret.${table} order by name`)
  return rows.map(({ name }) => name)
}

export const missingMigrations = async (client: pg.Client): Promise<MissingMigrations> => {
  const pending: string[] = []
  const unknown: string[] = []
  for (const { folder, schema, table } of migrationTargets) {
    const known = new Set(knownMigrations(folder))
    const ran = new Set(await ranMigrations(client, table))
    pending.push(...[...known.difference(ran)].map(name => `${schema}/${name}`))
    unknown.push(...[...ran.difference(known)].map(name => `${schema}/${name}`))
  }
  return { pending, unknown }
}
