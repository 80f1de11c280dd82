// A plan → the tables its answer depends on, as the change log names them; undefined if it may change without a trace.
import type { Model } from '../../catalog/model.ts'
import type { CachedPlan } from '../structure.ts'

/** A part of the answer that is made of nothing known is in neither map. */
export const sourcesOfPlan = (
  model: Model,
  { plan, personal, secured, aboutSchema, mutation }: Omit<CachedPlan, 'sources' | 'masjids'>,
): readonly string[] | undefined => {
  if (mutation !== undefined || personal || secured || aboutSchema.length > 0 || plan.tables.size === 0)
    return undefined
  const { relations, functions } = model.sources
  const parts = [
    ...[...plan.tables].map(table => relations.get(table.relation)),
    ...[...plan.functions].map(name => functions.get(name)),
  ]
  return parts.every(part => part !== undefined) ? [...new Set(parts.flat())] : undefined
}

/** PostgreSQL reads these words as times: `{starts_at: {_gt: "now"}}`. Where they mean something else, an answer is kept one time less. */
const clockWords = /now|today|tomorrow|yesterday/i

export const readsTheClock = (values: readonly (string | null)[]): boolean =>
  values.some(value => value !== null && clockWords.test(value))
