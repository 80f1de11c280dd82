// A list of a table with a row for each masjid → what a row needs to be in it, as far as equality of texts goes.
//
// A masjid that is not shown in the list and does not have these values now makes no difference to it: if it was part of the list
// before, it was beyond the limit. Not so with an offset: the row may have been one that was skipped.
import type { Column } from '../../catalog/model.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import type { Condition, Range } from '../plan/plan.ts'
import type { Admitted } from './masjids.ts'

/** Where PostgreSQL's equality is that of characters: not for citext, char(n) or a nondeterministic collation. */
const isPlainText = ({ sql, patterns }: ValueType): boolean =>
  patterns === 'all' && ['"pg_catalog"."text"', '"pg_catalog"."varchar"'].includes(sql)

const isPlain = ({ type }: Column): boolean => type.element === undefined && isPlainText(type)

/** Conditions that must all hold. */
const equalities = (where: Condition | undefined): Admitted['equal'] => {
  if (where?.kind === 'and') return where.parts.flatMap(equalities)
  if (where?.kind !== 'compare' || where.operator.name !== '_eq' || where.left.kind !== 'column') return []
  const { column } = where.left
  return isPlain(column) && where.right.encoding === undefined ? [{ column, value: where.right }] : []
}

export const admittedTo = (
  { from, where, offset }: Pick<Range, 'from' | 'where' | 'offset'>,
  masjidColumn: string,
): Admitted | undefined => {
  const { table } = from
  const [key, ...more] = table.primaryKey ?? []
  if (table.kind !== 'table' || key?.column !== masjidColumn || more.length > 0 || offset !== undefined)
    return undefined
  const equal = equalities(where)
  return equal.length === 0 ? undefined : { kind: 'admitted', table, key, equal }
}
