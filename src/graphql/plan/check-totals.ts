// Expensive aggregates over a large table → the error they are refused with before they run, unless a filter narrows them.
import type { GraphQLError } from 'graphql'
import { type Place, refuse } from './context.ts'
import type { Aggregate, Condition } from './plan.ts'

/** Conditions that must all hold; a related row narrows as well as a column does. */
const narrows = (where: Condition | undefined, columns: readonly string[]): boolean => {
  if (where === undefined) return false
  if (where.kind === 'and') return where.parts.some(part => narrows(part, columns))
  if (where.kind === 'exists') return where.from.kind === 'table'
  if (where.kind !== 'compare') return false
  const { left } = where
  return left.kind === 'related' || (left.kind === 'column' && columns.includes(left.column.column))
}

/** `too-costly`, with the columns to filter by. */
export const totalsRefusal = (place: Place, { range, fields }: Aggregate): GraphQLError | undefined => {
  const { from, where, limit } = range
  const { totalsBy, name } = from.table
  const isTotal = fields.some(({ kind }) => kind === 'totals' || kind === 'groups')
  if (totalsBy.length === 0 || !isTotal || from.kind === 'function' || limit !== undefined) return undefined
  if (narrows(where, totalsBy)) return undefined
  return refuse(
    place,
    'too-costly',
    `Totals over all rows of ${name} would take too long. Filter by ${totalsBy.join(' or ')} in \`where\`.`,
  )
}
