// A list → its estimated number of rows, by the planner's statistics; undefined if unknown or confidential.
import type { Place, PlanContext } from './context.ts'
import type { From, Join } from './plan.ts'

/** Within a row, the average number per value of the joining columns. */
const estimateRows = (from: From, join: Join | undefined): number | undefined => {
  const { size } = from.table
  if (from.kind !== 'table' || size === undefined) return undefined
  const distinct = (join ?? []).map(([, target]) => size.distinct.get(target) ?? 1)
  return Math.ceil(size.rows / Math.max(1, ...distinct))
}

/** A limit is an upper bound; statistics are closer, if they are used. */
export const expectedRows = ({ estimates }: PlanContext, { join }: Place, from: From, limit: number): number =>
  estimates ? Math.min(limit, estimateRows(from, join) ?? limit) : limit
