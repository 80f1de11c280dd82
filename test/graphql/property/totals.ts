// Rows → their count, sum, average, minimum, maximum, variance and standard deviation.
import { addDecimals, compareValues, type Decimal, decimalOf, numberText } from './compare-values.ts'
import { ExactNumber, exact, type Value } from './exact-json.ts'
import type { Call } from './query.ts'
import type { Row } from './rows.ts'
import type { Table, Type } from './structure.ts'

/** A number that depends on the order of addition or on the precision of a division: compared with a tolerance. */
export class Approximate extends ExactNumber {}

const plain = (kind: Type['kind']): Type => ({ kind, name: kind, labels: [], element: undefined })

const columnType = (table: Table, column: string): Type => table.columns.get(column)?.type ?? plain('other')

export const callType = (call: Call, table: Table): Type => {
  if (call.name === 'count') return plain('integer')
  const own = columnType(table, call.column)
  if (call.name === 'min' || call.name === 'max') return own
  return call.name === 'sum' && own.kind !== 'float' ? plain('numeric') : plain('float')
}

const textOf = ({ digits, scale }: Decimal): string => {
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
  const whole = `${digits < 0n ? '-' : ''}${text.slice(0, text.length - scale)}`
  return scale === 0 ? whole : `${whole}.${text.slice(text.length - scale)}`
}

const sum = (values: readonly Value[], type: Type): Value => {
  if (type.kind === 'float')
    return new Approximate(String(values.reduce<number>((total, value) => total + Number(numberText(value)), 0)))
  const total = values.map(value => decimalOf(numberText(value))).reduce(addDecimals, { digits: 0n, scale: 0 })
  return new ExactNumber(textOf(total))
}

const spread = (name: string, values: readonly Value[]): Value => {
  const numbers = values.map(value => Number(numberText(value)))
  const population = name.endsWith('_pop')
  if (numbers.length < (population ? 1 : 2)) return null
  const mean = numbers.reduce((total, one) => total + one, 0) / numbers.length
  const squares = numbers.reduce((total, one) => total + (one - mean) ** 2, 0)
  const variance = squares / (numbers.length - (population ? 0 : 1))
  return new Approximate(String(name.startsWith('stddev') ? Math.sqrt(variance) : variance))
}

const isEqual = (table: Table, columns: readonly string[], a: Row, b: Row): boolean =>
  columns.every(column => {
    const [left = null, right = null] = [a[column], b[column]]
    return left !== null && right !== null && compareValues(left, right, columnType(table, column)) === 0
  })

/** Rows in which a counted column is null are not counted. */
const count = ({ columns, distinct }: Call & { name: 'count' }, table: Table, rows: readonly Row[]): Value => {
  const present = rows.filter(row => columns.every(column => (row[column] ?? null) !== null))
  if (!distinct || columns.length === 0) return exact(present.length)
  const different: Row[] = []
  for (const row of present) if (!different.some(one => isEqual(table, columns, one, row))) different.push(row)
  return exact(different.length)
}

export const evaluateCall = (call: Call, table: Table, rows: readonly Row[]): Value => {
  if (call.name === 'count') return count(call, table, rows)
  const type = columnType(table, call.column)
  const values = rows.map(row => row[call.column] ?? null).filter(value => value !== null)
  const [first] = values
  if (first === undefined) return null
  if (call.name === 'sum') return sum(values, type)
  if (call.name === 'avg')
    return new Approximate(
      String(values.reduce<number>((total, one) => total + Number(numberText(one)), 0) / values.length),
    )
  if (call.name !== 'min' && call.name !== 'max') return spread(call.name, values)
  const better = call.name === 'min' ? -1 : 1
  return values.reduce((best, one) => (compareValues(one, best, type) * better > 0 ? one : best), first)
}
