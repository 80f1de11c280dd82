// The model of the API → its reference in Markdown: an overview, and one page per table.
import type { Argument, Column, ComputedField, Model, Relation, Table, TableFunction } from '../../catalog/model.ts'
import { mutationNamesOf } from '../../catalog/mutation-names.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { blocks, code, codes, grid, plain } from './write-markdown.ts'

export interface ReferencePage {
  readonly path: string
  /** As its heading has it. */
  readonly title: string
  readonly markdown: string
}

const REFERENCE = '/docs/reference'

const tablePath = (name: string): string => `${REFERENCE}/${name}`

const link = (table: string): string => `[${code(table)}](${tablePath(table)})`

const typeName = ({ graphql, element }: ValueType): string => (element === undefined ? graphql : `[${graphql}!]`)

const typeCell = (type: ValueType, notNull: boolean): string => {
  const labels = type.labels ?? type.element?.labels
  const name = code(`${typeName(type)}${notNull ? '!' : ''}`)
  return labels === undefined ? name : `${name}: ${labels.map(plain).join(', ')}`
}

const meaning = (description: string | undefined): string => plain(description ?? '')

const columnRow = ({ name, type, notNull, description, deprecation }: Column): string[] => [
  code(name),
  typeCell(type, notNull),
  `${meaning(description)}${deprecation === undefined ? '' : ` **Deprecated:** ${plain(deprecation.reason)}`}`,
]

const argumentList = (list: readonly Argument[]): string =>
  codes(list.map(({ name, type, hasDefault }) => `${name}: ${typeName(type)}${hasDefault ? '' : '!'}`))

const relationRow = ({ name, kind, target, description }: Relation): string[] => [
  code(name),
  `${kind === 'object' ? 'one' : 'many'} ${link(target)}`,
  meaning(description),
]

const computedRow = ({ name, arguments: list, type, description }: ComputedField): string[] => [
  code(name),
  argumentList(list),
  code(typeName(type)),
  meaning(description),
]

const functionRow = ({ name, arguments: list, description }: TableFunction): string[] => [
  code(name),
  argumentList(list),
  meaning(description),
]

const actionRow = ({ name, arguments: list, scopes, description }: TableFunction): string[] => [
  code(name),
  argumentList(list),
  codes(scopes),
  meaning(description),
]

const rootFields = ({ name, primaryKey }: Table): string =>
  grid(
    ['field of the query', 'gives'],
    [
      [code(name), 'rows, with where, order\\_by, distinct\\_on, limit, offset'],
      ...(primaryKey === undefined
        ? []
        : [[code(`${name}_by_pk`), `one row by ${codes(primaryKey.map(({ name: key }) => key))}`]]),
      [code(`${name}_aggregate`), 'count, sum, average and the like, under the same where'],
    ],
  )

const exampleOf = ({ name, columns }: Table): string =>
  `{\n  ${name}(limit: 5) {\n${[...columns.keys()]
    .slice(0, 5)
    .map(column => `    ${column}`)
    .join('\n')}\n  }\n}`

/** Parentheses would end the link. */
const explorerLink = (query: string): string =>
  `/explorer?query=${encodeURIComponent(query).replaceAll('(', '%28').replaceAll(')', '%29')}`

interface Calls {
  readonly functions: readonly TableFunction[]
  readonly actions: readonly TableFunction[]
}

const section = (title: string, ...parts: readonly (string | false)[]): string =>
  parts.every(part => part === false || part === '') ? '' : blocks(`## ${title}`, ...parts).trimEnd()

const writingPart = (table: Table, actions: readonly TableFunction[]): string => {
  const { writing } = table
  const names = mutationNamesOf(table)
  const columns = (of: string, list: readonly Column[]): string | false =>
    list.length > 0 && `Columns of ${of}: ${codes(list.map(({ name }) => name))}`
  return section(
    'Writing',
    names.length > 0 && `Mutations: ${codes(names)}`,
    writing !== undefined && `Scope: ${codes(writing.scopes)}`,
    writing !== undefined && columns('inserts', writing.insertColumns),
    writing !== undefined && columns('updates', writing.updateColumns),
    writing?.version !== undefined && `${code('if_version')} compares ${code(writing.version.name)}.`,
    actions.length > 0 && grid(['mutation', 'args', 'scope', 'meaning'], actions.map(actionRow)),
  )
}

const tableMarkdown = (table: Table, { functions, actions }: Calls): string => {
  const { columns, relations, computed, personal } = table
  const people = personal === undefined ? '' : ' · rows about people, narrowed to those the credential may see'
  return blocks(
    `# ${plain(table.name)}`,
    meaning(table.description),
    `Scope: ${codes(table.scopes)}${people}`,
    section('Fields', grid(['field', 'type', 'meaning'], [...columns.values()].map(columnRow))),
    relations.size > 0 &&
      section('Relations', grid(['field', 'leads to', 'meaning'], [...relations.values()].map(relationRow))),
    computed.size > 0 &&
      section(
        'Computed fields',
        grid(['field', 'arguments', 'type', 'meaning'], [...computed.values()].map(computedRow)),
      ),
    functions.length > 0 &&
      section('Functions', grid(['field of the query', 'args', 'meaning'], functions.map(functionRow))),
    writingPart(table, actions),
    !table.calculated &&
      section(
        'Asking',
        rootFields(table),
        `\`\`\`graphql\n${exampleOf(table)}\n\`\`\``,
        `[Open in the explorer](${explorerLink(exampleOf(table))})`,
      ),
  )
}

const tablePage = (table: Table, model: Model): ReferencePage => {
  const ofTable = ({ table: name }: TableFunction): boolean => name === table.name
  const calls: Calls = {
    functions: [...model.functions.values()].filter(ofTable),
    actions: [...model.actions.values()].filter(ofTable),
  }
  return { path: tablePath(table.name), title: table.name, markdown: tableMarkdown(table, calls) }
}

const overview = (tables: readonly Table[]): ReferencePage => ({
  path: REFERENCE,
  title: 'API reference',
  markdown: blocks(
    '# API reference',
    'Made from the live database: what stands here is what can be asked.',
    grid(
      ['table', 'scope', 'what it holds'],
      tables.map(table => [link(table.name), codes(table.scopes), meaning(table.description)]),
    ),
    'As files: `/v1/schema.graphql` and `/v1/schema.json`, see [typed clients](/docs/typed-clients).',
  ),
})

export const createReference = (model: Model): readonly ReferencePage[] => {
  const tables = [...model.tables.values()].sort((left, right) => left.name.localeCompare(right.name))
  return [overview(tables), ...tables.map(table => tablePage(table, model))]
}
