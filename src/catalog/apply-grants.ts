// Statements that correct rights → carried out; returns what they were for and failed.
import type { Queryable } from '../db/database.ts'
import { rawSql } from '../db/sql.ts'

/** What it is for: the GraphQL name of a table, or '' for what is not exposed. */
export type Grant = readonly [subject: string, statement: string]

export interface Refusal {
  readonly err: unknown
  readonly statement: string
}

/** A right may be refused, for instance because another role owns the table. */
export const applyGrants = async (
  database: Queryable,
  grants: readonly Grant[],
  onRefused: (refusal: Refusal) => void,
): Promise<Set<string>> => {
  const refused = new Set<string>()
  for (const [subject, statement] of grants) {
    await database.run(rawSql(statement)).catch(error => {
      // Two processes grant the same right at once: one of them gets an error, and both have it.
      if ((error as { code?: string }).code === 'XX000') return
      onRefused({ err: error, statement })
      refused.add(subject)
    })
  }
  return refused
}
