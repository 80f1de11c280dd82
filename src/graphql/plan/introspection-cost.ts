// An introspection field → its cost in rows, from the usual lengths of its lists.
import { collectFields } from './collect-fields.ts'
import type { CollectedField } from './collected-field.ts'
import type { PlanContext } from './context.ts'

/** Averages over all types: most have fields or input fields, few have both, fewer have enum values. */
const usualLengths: Readonly<Record<string, number>> = {
  types: 600,
  fields: 8,
  inputFields: 8,
  enumValues: 4,
  args: 2,
  directives: 5,
  // most types are wrapped once or twice, however often a query asks
  ofType: 0.4,
}

/** This many names and descriptions are as much work as a row. */
const PER_ROW = 10

const countNames = (context: PlanContext, field: CollectedField, times: number): number => {
  const length = times * (usualLengths[field.name] ?? 1)
  const parts = field.selections.length === 0 ? [] : collectFields(context, field.selections)
  return parts.reduce((sum, part) => sum + countNames(context, part, length), length)
}

export const introspectionCost = (context: PlanContext, field: CollectedField): number =>
  Math.ceil(countNames(context, field, 1) / PER_ROW)
