// The operators of every column type in the model → tables for the documentation.
import type { Model } from '../../catalog/model.ts'
import { operatorsOf } from '../../catalog/operators.ts'
import type { ValueType } from '../../catalog/value-type.ts'

const groupOf = (type: ValueType): string => {
  if (type.element !== undefined) return 'lists'
  if (type.family === 'text') return 'text'
  if (type.family === 'jsonb' || type.family === 'range') return type.family
  return type.ordered ? 'every type that can be compared' : 'other types'
}

const row = (type: ValueType): string =>
  operatorsOf(type)
    .map(({ name, description }) => `| \`${name}\` | ${description} |\n`)
    .join('')

export const operatorTables = (model: Model): string => {
  const groups = new Map<string, ValueType>()
  for (const table of model.tables.values())
    for (const { type } of table.columns.values()) if (!groups.has(groupOf(type))) groups.set(groupOf(type), type)
  const common = groups.get('every type that can be compared')
  const shared = new Set(common === undefined ? [] : operatorsOf(common).map(({ name }) => name))
  const sections = [...groups]
    .sort(([left], [right]) => left.localeCompare(right))
    .map(([name, type]) => {
      const rows =
        type === common ? `${row(type)}| \`_is_null\` | is (true) or is not (false) null |\n` : ownRows(type, shared)
      return rows === ''
        ? ''
        : `\n### ${name[0]?.toUpperCase()}${name.slice(1)}\n\n| operator | true when the column |\n|---|---|\n${rows}`
    })
  return `\n## Operators\n${sections.join('')}`
}

const ownRows = (type: ValueType, shared: ReadonlySet<string>): string =>
  operatorsOf(type)
    .filter(({ name }) => !shared.has(name))
    .map(({ name, description }) => `| \`${name}\` | ${description} |\n`)
    .join('')
