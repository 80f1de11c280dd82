// Statements that correct rights → carried out; returns what they were for and failed.
import { databaseCode } from '../db/database-fault.ts'
import { type GivingWay, isBusy } from '../db/giving-way.ts'
import { rawSql } from '../db/sql.ts'
import type { RawRelation } from './raw-catalog.ts'

/** What it is for: the GraphQL name of a table, or '' for what is not exposed. */
export type Grant = readonly [subject: string, statement: string]

/** PostgreSQL ends an ALTER TABLE beside which rights to the table change ("tuple concurrently updated"). Views cannot be locked alone. */
export const withLock = ({ kind }: Pick<RawRelation, 'kind'>, target: string, statement: string): string =>
  kind === 'r' || kind === 'p' ? `lock table only ${target} in access share mode; ${statement}` : statement

export interface Refusal {
  readonly err: unknown
  readonly statement: string
}

export interface Corrections {
  /** What could not be corrected. */
  readonly refused: ReadonlySet<string>
  /** Some of it because others hold a lock: worth another attempt. */
  readonly busy: boolean
}

/** A right may be refused, for instance because another role owns the table. */
export const applyGrants = async (
  database: GivingWay,
  grants: readonly Grant[],
  onRefused: (refusal: Refusal) => void,
): Promise<Corrections> => {
  const refused = new Set<string>()
  let busy = false
  for (const [subject, statement] of grants) {
    await database.run(rawSql(statement)).catch(error => {
      // Two processes grant the same right at once: one of them gets an error, and both have it.
      if (databaseCode(error) === 'XX000') return
      if (isBusy(error)) busy = true
      else onRefused({ err: error, statement })
      refused.add(subject)
    })
  }
  return { refused, busy }
}
