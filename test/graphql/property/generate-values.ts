// A column and its rows → operands to compare it with: mostly values that occur, some edge cases.
import fc from 'fast-check'
import { ExactNumber, exact, type Value } from './exact-json.ts'
import type { Data } from './rows.ts'
import type { Column, Type } from './structure.ts'

const edges = (type: Type): Value[] => {
  switch (type.kind) {
    case 'boolean':
      return [true, false]
    case 'integer':
      return (type.name === 'int2' ? [0, 1, -1, 32767, -32768] : [0, 1, -1, 2147483647, -2147483648]).map(exact)
    case 'bigint':
      return [0n, 1n, 9007199254740993n, 9223372036854775807n, -9223372036854775808n].map(exact)
    case 'numeric':
      return ['0', '0.5', '0.50', '12345678901234567890.123456789', '-1'].map(text => new ExactNumber(text))
    case 'float':
      return ['0', '0.5', '-33.25', '1e20'].map(text => new ExactNumber(text))
    case 'text':
      return ['', 'a', 'Masjid', "O'Brien", 'é', '"; drop table up_masjids; --', '\u{1F54C}', '\\']
    case 'uuid':
      return ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    case 'date':
      return ['2026-01-01', '1999-12-31']
    case 'time':
      return ['00:00:00', '12:30:00', '23:59:59.999999']
    case 'timestamp':
      return type.name === 'timestamp'
        ? ['2026-01-01T00:00:00', '2026-06-01T12:00:00.123456']
        : ['2026-01-01T00:00:00+00:00', '2026-06-01T12:00:00.123456+05:30', '2026-06-01T12:00:00Z']
    case 'interval':
      return ['00:00:00', '1 day', '24:00:00', '1 mon', '-1 days']
    case 'enum':
      return [...type.labels]
    case 'range':
      return type.name === 'daterange' ? ['[2026-01-01,2026-02-01)', '(,)', 'empty'] : ['[1,5)', '(,)', 'empty']
    case 'json':
      return [{}, { dhuhr: exact(2) }, [], 'text', exact(1), true]
    default:
      return []
  }
}

const occurring = (data: Data, table: string, column: string): Value[] => {
  const values = data
    .rows(table)
    .map(row => row[column] ?? null)
    .filter(value => value !== null)
  const step = Math.max(1, Math.floor(values.length / 15))
  return values.filter((_, index) => index % step === 0)
}

const words = (values: readonly Value[]): string[] => {
  const found = values.flatMap(value => String(value).match(/[A-Za-z0-9]{1,4}/g) ?? [])
  return [...new Set([...found.slice(0, 40), 'a', 'M', 'lane'])]
}

const pattern = (parts: fc.Arbitrary<string>): fc.Arbitrary<Value> =>
  fc.array(parts, { maxLength: 5 }).map(all => all.join(''))

const textPatterns = (values: readonly Value[]): Readonly<Record<string, fc.Arbitrary<Value>>> => {
  const word = fc.constantFrom(...words(values))
  const like = pattern(fc.oneof(word, fc.constantFrom('%', '_', '\\%', '\\_', ' ', "'", 'é')))
  const similar = pattern(fc.oneof(word, fc.constantFrom('%', '_', '(a|b)', '(Lane|Hill)', ' ')))
  const atom = fc.oneof(word, fc.constantFrom('.', '.*', '[a-m]', '[^a-z]', '(e|i)', ' +', 's?'))
  const regex = fc
    .tuple(fc.boolean(), fc.array(atom, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([from, body, to]) => `${from ? '^' : ''}${body.join('')}${to ? '$' : ''}`)
  return {
    _like: like,
    _nlike: like,
    _ilike: like,
    _nilike: like,
    _similar: similar,
    _nsimilar: similar,
    _regex: regex,
    _nregex: regex,
    _iregex: regex,
    _niregex: regex,
  }
}

const elementLists = (type: Type, values: readonly Value[]): fc.Arbitrary<Value> => {
  const elements = [...values.flatMap(value => value as Value[]).filter(value => value !== null), ...edges(type)]
  return elements.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...elements), { maxLength: 3 })
}

export type OperandOf = (operator: string) => fc.Arbitrary<Value>

export const operandsOf = (data: Data, table: string, column: Column): OperandOf => {
  const { type, name } = column
  const values = occurring(data, table, name)
  const same: fc.Arbitrary<Value> =
    type.kind === 'array'
      ? fc.oneof(
          ...(values.length === 0 ? [] : [fc.constantFrom(...values)]),
          elementLists(type.element as Type, values),
        )
      : fc.constantFrom<Value>(...values, ...values, ...edges(type))
  const patterns = type.kind === 'text' ? textPatterns(values) : {}
  const keyNames = fc.constantFrom('fajr', 'dhuhr', 'maghrib', 'a', 'b')
  return operator => {
    if (operator === '_is_null') return fc.boolean()
    if (operator === '_in' || operator === '_nin') return fc.array(same, { maxLength: 4 })
    if (operator === '_has_key') return keyNames
    if (operator.startsWith('_has_keys')) return fc.array(keyNames, { maxLength: 3 })
    return patterns[operator] ?? same
  }
}

/** Operands for aggregates. */
export const totalOperands = (kind: Type['kind']): fc.Arbitrary<Value> =>
  fc.constantFrom<Value>(...(kind === 'integer' ? [0, 1, 2, 5, 20] : [0, 1, 60, 500, 3000]).map(exact))
