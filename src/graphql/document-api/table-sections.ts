// The tables and functions of a model → their sections in the documentation.
import type { Argument, Column, Model, Relation, Table } from '../../catalog/model.ts'
import { mutationNamesOf } from '../../catalog/mutation-names.ts'
import type { ValueType } from '../../catalog/value-type.ts'

const cell = (text: string | undefined): string => (text ?? '').replaceAll('|', '\\|').replaceAll('\n', ' ')

const typeName = (type: ValueType): string => (type.element === undefined ? type.graphql : `[${type.graphql}]`)

const columnRow = (column: Column): string => {
  const deprecated = column.deprecation === undefined ? '' : `**Deprecated.** ${column.deprecation.reason} `
  const type = `${typeName(column.type)}${column.notNull ? '!' : ''}`
  return `| \`${column.name}\` | ${type} | ${cell(deprecated + (column.description ?? ''))} |\n`
}

const relationRow = (relation: Relation): string => {
  const type = relation.kind === 'array' ? `[${relation.target}]` : relation.target
  const totals = relation.kind === 'array' ? `, \`${relation.name}_aggregate\`` : ''
  return `| \`${relation.name}\`${totals} | ${type} | ${cell(relation.description)} |\n`
}

const argumentList = (all: readonly Argument[]): string =>
  all.map(({ name, type, hasDefault }) => `${name}: ${typeName(type)}${hasDefault ? '' : '!'}`).join(', ')

const nameOf = (field: { readonly name: string; readonly arguments: readonly Argument[] }): string =>
  `\`${field.name}\`${field.arguments.length === 0 ? '' : ` (args: {${argumentList(field.arguments)}})`}`

const keysOf = (table: Table): string => {
  const keys = [
    ...(table.primaryKey === undefined ? [] : [`\`${table.name}_by_pk\``]),
    ...table.uniqueKeys.map(key => `\`${table.name}_by_${key.name}\``),
  ]
  return keys.length === 0 ? '' : `One row: ${keys.join(', ')}. `
}

const people = (table: Table): string =>
  table.personal === undefined
    ? ''
    : 'Rows about people: reads are recorded, and only rows that the credential may see are returned. '

const codes = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(', ')

const writingOf = (table: Table): string => {
  const { writing } = table
  if (writing === undefined) return ''
  const columns = codes(writing.insertColumns.map(({ name }) => name))
  const changed = codes(writing.updateColumns.map(({ name }) => name))
  const sent = columns === changed || changed === '' ? columns : `${columns}; in updates ${changed}`
  const version = writing.version === undefined ? '' : ` \`if_version\` compares \`${writing.version.name}\`.`
  const scopes = writing.scopes.map(scope => `\`${scope}\``).join(' and ')
  const list = sent === '' ? '' : ` Columns that may be sent: ${sent}.`
  return `Writing: ${scopes}; ${codes(mutationNamesOf(table))}.${list}${version}\n\n`
}

const tableSection = (table: Table): string =>
  [
    `\n### ${table.name}\n\n${table.description ?? ''}\n\n`,
    `Scope: ${table.scopes.map(scope => `\`${scope}\``).join(' and ')}. ${keysOf(table)}${people(table)}`.trim(),
    '\n\n',
    writingOf(table),
    '| field | type | |\n|---|---|---|\n',
    ...[...table.columns.values()].map(columnRow),
    ...[...table.computed.values()].map(
      field => `| ${nameOf(field)} | ${typeName(field.type)} | ${cell(field.description)} |\n`,
    ),
    ...[...table.computedRows.values()].map(
      field =>
        `| ${nameOf(field)} | ${field.single ? field.target : `[${field.target}]`} | ${cell(field.description)} |\n`,
    ),
    ...[...table.relations.values()].map(relationRow),
  ].join('')

const byName = <T extends { readonly name: string }>(all: Iterable<T>): T[] =>
  [...all].sort((left, right) => (left.name < right.name ? -1 : 1))

export const tableSections = (model: Model): string =>
  `\n## Tables\n${byName(model.tables.values()).map(tableSection).join('')}`

export const functionSections = (model: Model): string => {
  const rows = byName(model.functions.values()).map(
    one => `| \`${one.name}(args: {${argumentList(one.arguments)}})\` | ${one.table} | ${cell(one.description)} |\n`,
  )
  return `\n## Functions\n\nThey take the arguments of lists too, and have totals under their name with \`_aggregate\`. An argument without \`!\` has a\ndefault; null for it is as if it had not been written. For one with \`!\` null may be given, unless the function is STRICT.\n\n| function | rows of | |\n|---|---|---|\n${rows.join('')}`
}

export const actionSections = (model: Model): string => {
  if (model.actions.size === 0) return ''
  const rows = byName(model.actions.values()).map(
    one =>
      `| \`${one.name}(args: {${argumentList(one.arguments)}})\` | ${one.table} | ${codes(one.scopes)} | ${cell(one.description)} |\n`,
  )
  return `\n## Functions that write\n\nFields of mutations. One that returns several rows takes the arguments of lists too.\n\n| mutation | rows of | scope | |\n|---|---|---|---|\n${rows.join('')}`
}

export const scopeTable = (model: Model): string => {
  const scopes = new Map<string, string[]>()
  for (const { name, scopes: needed } of byName(model.tables.values())) {
    const key = needed.join(' and ')
    scopes.set(key, [...(scopes.get(key) ?? []), `\`${name}\``])
  }
  const rows = [...scopes].sort().map(([scope, tables]) => `| ${scope} | ${tables.join(', ')} |\n`)
  return `\n## Scopes\n\nA table needs its scope wherever it is named: as a root, in a relationship, a filter, an order, a total.\n\n| scope | tables |\n|---|---|\n${rows.join('')}`
}
