// Totals and groups → sub-selects that give JSON.
import type { GroupField, GroupKeyField, GroupOrder, Groups, Range, TotalField } from '../plan/plan.ts'
import { compileCall, enoughPeople, type Hold, type Row } from './compile-expression.ts'
import { directionOf } from './compile-order.ts'
import { compileUnpaged } from './compile-range.ts'
import { anyValue, type Item, jsonList, jsonObject, jsonRow, type Written } from './json.ts'
import { columnOf, nextAlias, valueParameter, type Writer } from './writer.ts'

export const typenameOf = (name: string): Written => ({ words: `"${name}"` })

const totalItem = (writer: Writer, field: TotalField, row: Row): Item => {
  if (field.kind === 'typename') return [field.key, typenameOf(field.name)]
  if (field.kind === 'call') return [field.key, anyValue(compileCall(field.call, row))]
  return [field.key, totalsObject(writer, field.fields, row)]
}

const totalsObject = (writer: Writer, fields: readonly TotalField[], row: Row): Written => {
  const items = fields.map(field => totalItem(writer, field, row))
  return jsonObject(writer, items)
}

const asksForTotal = (fields: readonly TotalField[]): boolean =>
  fields.some(field => field.kind === 'call' || (field.kind === 'calls' && asksForTotal(field.fields)))

/** A condition on totals makes one row of all, also where no total is asked for but, say, only the name of the type. */
const havingOf = (enough: string | undefined, fields: readonly TotalField[]): string => {
  if (enough !== undefined) return ` having ${enough}`
  return asksForTotal(fields) ? '' : ' having true'
}

export const compileTotals = (
  writer: Writer,
  range: Range,
  fields: readonly TotalField[],
  hold: Hold | undefined,
): Written => {
  const { row, rest } = compileUnpaged(writer, range, `t${nextAlias(writer)}`, hold)
  const enough = enoughPeople(range.from.table, row)
  return jsonRow(writer, {
    items: fields.map(field => totalItem(writer, field, row)),
    rest: rest + havingOf(enough, fields),
  })
}

const keyItem = (field: GroupKeyField, row: Row): Item =>
  field.kind === 'typename'
    ? [field.key, typenameOf(field.name)]
    : [field.key, anyValue(columnOf(row.alias, field.column.column))]

const keysObject = (writer: Writer, fields: readonly GroupKeyField[], row: Row): Written => {
  const items = fields.map(field => keyItem(field, row))
  return jsonObject(writer, items)
}

const groupItem = (writer: Writer, field: GroupField, row: Row): Item => {
  if (field.kind === 'typename') return [field.key, typenameOf(field.name)]
  if (field.kind === 'keys') return [field.key, keysObject(writer, field.fields, row)]
  return [field.key, totalsObject(writer, field.fields, row)]
}

const groupOrder = (order: GroupOrder, row: Row): string => {
  const by = order.by.kind === 'key' ? columnOf(row.alias, order.by.column.column) : compileCall(order.by.call, row)
  return `${by} ${directionOf(order)}`
}

export const compileGroups = (writer: Writer, range: Range, groups: Groups, hold: Hold | undefined): Written => {
  const number = nextAlias(writer)
  const { row, rest } = compileUnpaged(writer, range, `t${number}`, hold)
  const keys = groups.by.map(({ column }) => columnOf(row.alias, column))
  const enough = enoughPeople(range.from.table, row)
  // The keys come last, so that groups with the same total keep one order.
  const order = [...groups.order.map(one => groupOrder(one, row)), ...keys].join(', ')
  const offset = groups.offset === undefined ? '' : ` offset ${valueParameter(writer, groups.offset)}`
  const items = groups.fields.map(field => groupItem(writer, field, row))
  const having = enough === undefined ? '' : ` having ${enough}`
  const page = `group by ${keys.join(', ')}${having} order by ${order} limit ${Number(groups.limit)}${offset}`
  return jsonList(writer, { items, rest: `${rest} ${page}` }, `r${number}`)
}
