// Aggregates and groups → subqueries that return JSON.
import type { Column, Table } from '../../catalog/model.ts'
import type { GroupField, GroupKeyField, GroupOrder, Groups, Range, TotalField } from '../plan/plan.ts'
import { compileCall } from './compile-call.ts'
import { compileCondition } from './compile-expression.ts'
import { directionOf } from './compile-order.ts'
import { type CompiledRange, compileUnpaged, isPaged } from './compile-range.ts'
import { anyValue, type Item, jsonList, jsonObject, jsonRow, type Written } from './json.ts'
import { type Hold, joinConditions, type Row, rowConditions } from './row.ts'
import { countedRows, enoughPeople, takesWholeGroups } from './small-groups.ts'
import { nextAlias, offsetParameter, shownColumn, type Writer } from './writer.ts'

export const typenameOf = (name: string): Written => ({ words: `"${name}"` })

/** The rows to aggregate. */
interface Over {
  readonly table: Table
  readonly row: Row
}

const totalItem = (writer: Writer, field: TotalField, over: Over): Item => {
  if (field.kind === 'typename') return [field.key, typenameOf(field.name)]
  if (field.kind === 'call') return [field.key, anyValue(compileCall(writer, field.call, over))]
  return [field.key, totalsObject(writer, field.fields, over)]
}

const totalsObject = (writer: Writer, fields: readonly TotalField[], over: Over): Written => {
  const items = fields.map(field => totalItem(writer, field, over))
  return jsonObject(writer, items)
}

const asksForTotal = (fields: readonly TotalField[]): boolean =>
  fields.some(field => field.kind === 'call' || (field.kind === 'calls' && asksForTotal(field.fields)))

/** A condition on aggregates yields one row over everything, even if no aggregate is selected but, say, only `__typename`. */
const havingOf = (enough: string | undefined, fields: readonly TotalField[]): string => {
  if (enough !== undefined) return ` having ${enough}`
  return asksForTotal(fields) ? '' : ' having true'
}

/** Without the rows that must not be aggregated. */
const compileCounted = (
  writer: Writer,
  range: Range,
  alias: string,
  { hold, by }: { readonly hold: Hold | undefined; readonly by: readonly Column[] },
): CompiledRange => {
  const { from, where, after } = range
  const { table } = from
  const groups = table.personal?.groups ?? []
  const whole =
    from.kind === 'table' &&
    after === undefined &&
    !isPaged(range) &&
    by.every(({ column }) => groups.includes(column)) &&
    takesWholeGroups(table, { where, join: hold?.join })
  const narrowed = (row: Row): (string | undefined)[] => [
    ...(hold === undefined ? [] : joinConditions(hold, table, row)),
    ...rowConditions(writer, table, row),
    where === undefined ? undefined : compileCondition(writer, where, row),
  ]
  const only = (row: Row): string | undefined =>
    countedRows(writer, table, { row, narrowed: whole ? narrowed : undefined })
  return compileUnpaged(writer, range, alias, { hold, only })
}

export const compileTotals = (
  writer: Writer,
  range: Range,
  fields: readonly TotalField[],
  hold: Hold | undefined,
): Written => {
  const { table } = range.from
  const { row, rest } = compileCounted(writer, range, `t${nextAlias(writer)}`, { hold, by: [] })
  const enough = enoughPeople(writer, table, row)
  return jsonRow(writer, {
    items: fields.map(field => totalItem(writer, field, { table, row })),
    rest: rest + havingOf(enough, fields),
  })
}

const keyItem = (field: GroupKeyField, row: Row): Item =>
  field.kind === 'typename'
    ? [field.key, typenameOf(field.name)]
    : [field.key, anyValue(shownColumn(row.alias, field.column))]

const keysObject = (writer: Writer, fields: readonly GroupKeyField[], row: Row): Written => {
  const items = fields.map(field => keyItem(field, row))
  return jsonObject(writer, items)
}

const groupItem = (writer: Writer, field: GroupField, over: Over): Item => {
  if (field.kind === 'typename') return [field.key, typenameOf(field.name)]
  if (field.kind === 'keys') return [field.key, keysObject(writer, field.fields, over.row)]
  return [field.key, totalsObject(writer, field.fields, over)]
}

const groupOrder = (writer: Writer, order: GroupOrder, over: Over): string => {
  const by =
    order.by.kind === 'key' ? shownColumn(over.row.alias, order.by.column) : compileCall(writer, order.by.call, over)
  return `${by} ${directionOf(order)}`
}

export const compileGroups = (writer: Writer, range: Range, groups: Groups, hold: Hold | undefined): Written => {
  const number = nextAlias(writer)
  const { table } = range.from
  const { row, rest } = compileCounted(writer, range, `t${number}`, { hold, by: groups.by })
  const keys = groups.by.map(column => shownColumn(row.alias, column))
  const enough = enoughPeople(writer, table, row)
  // The keys come last, so that groups with equal aggregates have a stable order.
  const order = [...groups.order.map(one => groupOrder(writer, one, { table, row })), ...keys].join(', ')
  const offset = groups.offset === undefined ? '' : ` offset ${offsetParameter(writer, groups.offset)}`
  const items = groups.fields.map(field => groupItem(writer, field, { table, row }))
  const having = enough === undefined ? '' : ` having ${enough}`
  const page = `group by ${keys.join(', ')}${having} order by ${order} limit ${Number(groups.limit)}${offset}`
  return jsonList(writer, { items, rest: `${rest} ${page}` }, `r${number}`)
}
