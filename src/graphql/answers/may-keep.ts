// A plan → the tables its answer depends on, as the change log names them; undefined if it may change without a trace.
import type { Model } from '../../catalog/model.ts'
import { type LoggedTables, loggedTables } from '../sources/logged-tables.ts'
import { tablesOfPlan } from '../sources/tables-of-plan.ts'
import type { CachedPlan } from '../structure.ts'

export const sourcesOfPlan = (model: Model, cached: Omit<CachedPlan, 'sources'>): LoggedTables | undefined => {
  const { plan, statement, personal, secured, aboutSchema, mutation } = cached
  if (mutation !== undefined || personal || secured || aboutSchema.length > 0 || plan.tables.size === 0)
    return undefined
  const { relations } = model.sources
  // A table that is not logged, or looks different to different readers, has no sources.
  if (![...plan.tables].every(({ relation }) => relations.has(relation))) return undefined
  const found = tablesOfPlan(model.sources, plan, { answerIsKnown: true })
  const { tables, unknown } = loggedTables(model, { found, functions: plan.functions, slots: statement.slots })
  return unknown ? undefined : tables
}

/** PostgreSQL reads these words as times: `{starts_at: {_gt: "now"}}`. Where they mean something else, an answer is kept one time less. */
const clockWords = /now|today|tomorrow|yesterday/i

export const readsTheClock = (values: readonly (string | null)[]): boolean =>
  values.some(value => value !== null && clockWords.test(value))
