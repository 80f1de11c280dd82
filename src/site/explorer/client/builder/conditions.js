// The `where` and `order_by` of a query ↔ simple conditions on columns, and a column to sort by. Pure.
import { listOf, literalOf, typedOf } from './literals.js'

export const OPERATORS = ['_eq', '_neq', '_gt', '_gte', '_lt', '_lte', '_ilike', '_in', '_is_null']

/** The columns one can compare, with their comparisons; by the input type of `where`. */
export const comparedColumns = (inputType, getNamedType) =>
  Object.values(inputType.getFields()).flatMap(({ name, type }) => {
    const compared = getNamedType(type)
    const fields = compared.getFields?.()
    if (name.startsWith('_') || fields?._eq === undefined) return []
    const operators = OPERATORS.filter(operator => operator in fields)
    return [{ name, operators, type: getNamedType(fields._eq.type) }]
  })

/** What a condition is, if the builder can change it; anything else stays as it is written. */
const simple = ({ name, value }, columns) => {
  const column = columns.find(one => one.name === name.value)
  const [comparison, ...others] = value.kind === 'ObjectValue' ? value.fields : []
  if (column === undefined || comparison === undefined || others.length > 0) return undefined
  const typed = typedOf(comparison.value)
  const operator = comparison.name.value
  return typed === undefined || !column.operators.includes(operator) ? undefined : { column, operator, typed }
}

/** @returns nothing if the whole of it is more than a list of conditions. */
export const readConditions = (text, value, columns) => {
  if (value === undefined) return []
  if (value.kind !== 'ObjectValue') return undefined
  return value.fields.map(field => ({
    name: field.name.value,
    source: text.slice(field.loc.start, field.loc.end),
    simple: simple(field, columns),
  }))
}

export const conditionText = ({ column, operator, typed }) => {
  if (operator === '_is_null') return `${column.name}: {_is_null: ${typed === 'false' ? 'false' : 'true'}}`
  const value = operator === '_in' ? listOf(column.type, typed) : literalOf(column.type, typed)
  return `${column.name}: {${operator}: ${value}}`
}

/** @param sources of all conditions. */
export const whereText = sources => (sources.length === 0 ? undefined : `{${sources.join(', ')}}`)

/** The columns one can sort by. */
export const sortedColumns = (inputType, isEnumType, getNamedType) =>
  Object.values(inputType.getFields())
    .filter(({ type }) => isEnumType(getNamedType(type)))
    .map(({ name }) => name)

/** @returns nothing if it is sorted by more than one plain column. */
export const readOrder = value => {
  if (value === undefined) return { column: '', direction: 'asc' }
  const object = value.kind === 'ListValue' && value.values.length === 1 ? value.values[0] : value
  const [field, ...others] = object.kind === 'ObjectValue' ? object.fields : []
  if (field?.value.kind !== 'EnumValue' || others.length > 0) return undefined
  return { column: field.name.value, direction: field.value.value }
}

export const orderText = ({ column, direction }) => (column === '' ? undefined : `{${column}: ${direction}}`)
