// Columns → the call that counts rows by them, in a selection or a filter.
import type { Column } from '../../catalog/model.ts'
import { type Place, refuse } from './context.ts'
import type { Call } from './plan.ts'

/** Values that cannot be compared cannot be counted as distinct. */
export const countOf = (place: Place, columns: readonly Column[], distinct: boolean): Call => {
  const unordered = distinct ? columns.find(({ type }) => !type.ordered) : undefined
  if (unordered !== undefined)
    throw refuse(
      place,
      'validation-failed',
      `Values of ${unordered.name} cannot be compared, so they cannot be counted once.`,
    )
  return { kind: 'count', columns, distinct }
}
