// How many rows there are → statistics of the tables that an import fills. Plans that were made while they were empty read all of them
// for each new row until PostgreSQL is told otherwise: autovacuum may take minutes, in which a table grows by a hundred thousand.
import type { Queryable } from '../../db/database.ts'
import { identifier, sql } from '../../db/sql.ts'

/** Fewer change no plan. */
export const MANY = 1000
const GROWTH = 4

const tables = [
  'up_masjids',
  'up_masjid_origins',
  'calculation_states',
  'masjid_words',
  'masjid_terms',
  'known_words',
] as const

/** A table that somebody else holds is left for later. */
export const learnSizes = async (database: Queryable): Promise<void> => {
  for (const table of tables) await database.run(sql`analyze (skip_locked) ${identifier('public', table)}`)
}

const steps = (rows: number): number => (rows < MANY ? 0 : 1 + Math.floor(Math.log(rows / MANY) / Math.log(GROWTH)))

/** With the first thousand, and whenever there are four times as many as last time: six times for a million. */
export const isTimeToLearn = (before: number, after: number): boolean => steps(after) > steps(before)
