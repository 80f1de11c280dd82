// A list → its estimated number of rows, by the planner's statistics; undefined if unknown or confidential.
import type { From, Join } from './plan.ts'

/** Within a row, the average number per value of the joining columns. */
export const estimateRows = (from: From, join: Join | undefined): number | undefined => {
  const { size } = from.table
  if (from.kind === 'function' || size === undefined) return undefined
  const distinct = (join ?? []).map(([, target]) => size.distinct.get(target) ?? 1)
  return Math.ceil(size.rows / Math.max(1, ...distinct))
}
