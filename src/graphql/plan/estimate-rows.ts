// A list → about how many rows it has, by the planner's statistics; undefined where nothing is known or may be told.
import type { From, Join } from './plan.ts'

/** Within a row, as many as there are for each value of the columns that hold them together. */
export const estimateRows = (from: From, join: Join | undefined): number | undefined => {
  const { size } = from.table
  if (from.kind === 'function' || size === undefined) return undefined
  const distinct = (join ?? []).map(([, target]) => size.distinct.get(target) ?? 1)
  return Math.ceil(size.rows / Math.max(1, ...distinct))
}
