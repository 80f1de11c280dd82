// The model of the API → its reference: an overview, and one page per table.
import type { Argument, Column, Model, Relation, Table, TableFunction } from '../../catalog/model.ts'
import { mutationNamesOf } from '../../catalog/mutation-names.ts'
import type { ValueType } from '../../catalog/value-type.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import type { DocsDocument } from './documents.ts'
import type { DocumentSection } from './render-markdown.ts'

const REFERENCE = '/docs/reference'

const tablePath = (name: string): string => `${REFERENCE}/${name}`

const link = (table: string): Html => html`<a href="${tablePath(table)}"><code>${table}</code></a>`

const typeName = ({ graphql, element }: ValueType): string => (element === undefined ? graphql : `[${graphql}!]`)

const labels = ({ labels: own, element }: ValueType): Html => {
  const words = own ?? element?.labels
  return words === undefined ? nothing : html`<br><span class="soft">${words.join(', ')}</span>`
}

const grid = (
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="table-frame" tabindex="0"><table>
<thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(row => html`<tr>${row.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`

const section = (id: string, title: string, body: Html): Html => html`<h2 id="${id}">${title}</h2>${body}`

const columnRow = ({ name, type, notNull, description, deprecation }: Column): (Html | string)[] => [
  html`<code>${name}</code>`,
  html`<code>${typeName(type)}${notNull && '!'}</code>${labels(type)}`,
  html`${description}${deprecation !== undefined && html` <strong>Deprecated:</strong> ${deprecation.reason}`}`,
]

const argumentList = (list: readonly Argument[]): Html =>
  html`${list.map(({ name, type, hasDefault }) => html`<code>${name}: ${typeName(type)}${!hasDefault && '!'}</code> `)}`

const relationRow = ({ name, kind, target, description }: Relation): (Html | string)[] => [
  html`<code>${name}</code>`,
  html`${kind === 'object' ? 'one ' : 'many '}${link(target)}`,
  description ?? '',
]

const functionRow = ({ name, arguments: list, description }: TableFunction): (Html | string)[] => [
  html`<code>${name}</code>`,
  argumentList(list),
  description ?? '',
]

const rootFields = ({ name, primaryKey }: Table): Html =>
  grid(
    ['field of the query', 'gives'],
    [
      [html`<code>${name}</code>`, 'rows, with where, order_by, distinct_on, limit, offset'],
      ...(primaryKey === undefined
        ? []
        : [
            [
              html`<code>${name}_by_pk</code>`,
              html`one row by ${primaryKey.map(({ name: key }) => html`<code>${key}</code> `)}`,
            ],
          ]),
      [html`<code>${name}_aggregate</code>`, 'count, sum, average and the like, under the same where'],
    ],
  )

const exampleOf = ({ name, columns }: Table): string =>
  `{\n  ${name}(limit: 5) {\n${[...columns.keys()]
    .slice(0, 5)
    .map(column => `    ${column}`)
    .join('\n')}\n  }\n}`

const scopesOf = ({ scopes }: Table): Html => html`${scopes.map(scope => html`<code>${scope}</code> `)}`

const computedPart = ({ computed }: Table): Html =>
  computed.size === 0
    ? nothing
    : section(
        'computed',
        'Computed fields',
        grid(
          ['field', 'arguments', 'type', 'meaning'],
          [...computed.values()].map(({ name, arguments: list, type, description }) => [
            html`<code>${name}</code>`,
            argumentList(list),
            html`<code>${typeName(type)}</code>`,
            description ?? '',
          ]),
        ),
      )

const functionPart = (functions: readonly TableFunction[]): Html =>
  functions.length === 0
    ? nothing
    : section(
        'functions',
        'Functions that give such rows',
        grid(['field of the query', 'args', 'meaning'], functions.map(functionRow)),
      )

const codes = (names: readonly string[]): Html => html`${names.map(name => html`<code>${name}</code> `)}`

const writingTable = ({ writing }: Table): Html => {
  if (writing === undefined) return nothing
  const { insertColumns, updateColumns, version } = writing
  return html`<p>Scope: ${codes(writing.scopes)}</p>
${insertColumns.length > 0 && html`<p>Columns of inserts: ${codes(insertColumns.map(({ name }) => name))}</p>`}
${updateColumns.length > 0 && html`<p>Columns of updates: ${codes(updateColumns.map(({ name }) => name))}</p>`}
${version !== undefined && html`<p><code>if_version</code> compares <code>${version.name}</code>.</p>`}`
}

const actionRow = ({ name, arguments: list, scopes, description }: TableFunction): (Html | string)[] => [
  html`<code>${name}</code>`,
  argumentList(list),
  codes(scopes),
  description ?? '',
]

const writingPart = (table: Table, actions: readonly TableFunction[]): Html => {
  if (table.writing === undefined && actions.length === 0) return nothing
  const names = mutationNamesOf(table)
  return section(
    'writing',
    'Writing',
    html`${names.length > 0 && html`<p>Mutations: ${codes(names)}</p>`}${writingTable(table)}
${actions.length > 0 && grid(['mutation', 'args', 'scope', 'meaning'], actions.map(actionRow))}`,
  )
}

interface Calls {
  readonly functions: readonly TableFunction[]
  readonly actions: readonly TableFunction[]
}

const tableBody = (table: Table, { functions, actions }: Calls): Html => html`<p class="lead">${table.description}</p>
<p>Scope: ${scopesOf(table)}${table.personal !== undefined && html` · rows about people, narrowed to those the credential may see`}</p>
${section('fields', 'Fields', grid(['field', 'type', 'meaning'], [...table.columns.values()].map(columnRow)))}
${table.relations.size > 0 && section('relations', 'Relations', grid(['field', 'leads to', 'meaning'], [...table.relations.values()].map(relationRow)))}
${computedPart(table)}${functionPart(functions)}${writingPart(table, actions)}
${section(
  'asking',
  'Asking',
  html`${rootFields(table)}<pre class="code" tabindex="0"><code data-language="graphql">${exampleOf(table)}</code></pre>
<p><a href="/explorer?query=${encodeURIComponent(exampleOf(table))}">Open in the explorer</a></p>`,
)}`

const words = (items: Iterable<{ readonly name: string; readonly description: string | undefined }>): string =>
  [...items].map(({ name, description }) => `${name} ${description ?? ''}`).join('\n')

const sectionsOf = (table: Table, { functions, actions }: Calls): DocumentSection[] => [
  { id: '', title: table.name, text: `${table.description ?? ''} ${table.scopes.join(' ')}` },
  { id: 'fields', title: 'Fields', text: words(table.columns.values()) },
  { id: 'relations', title: 'Relations', text: words(table.relations.values()) },
  { id: 'functions', title: 'Functions', text: words(functions) },
  { id: 'writing', title: 'Writing', text: [mutationNamesOf(table).join(' '), words(actions)].join('\n').trim() },
]

const tableDocument = (table: Table, model: Model): DocsDocument => {
  const ofTable = ({ table: name }: TableFunction): boolean => name === table.name
  const calls: Calls = {
    functions: [...model.functions.values()].filter(ofTable),
    actions: [...model.actions.values()].filter(ofTable),
  }
  return {
    path: tablePath(table.name),
    title: table.name,
    body: tableBody(table, calls),
    sections: sectionsOf(table, calls).filter(({ text }) => text !== ''),
  }
}

const overview = (tables: readonly Table[]): DocsDocument => ({
  path: REFERENCE,
  title: 'API reference',
  body: html`<p class="lead">Made from the live database: what stands here is what can be asked.</p>
${grid(
  ['table', 'scope', 'what it holds'],
  tables.map(table => [link(table.name), scopesOf(table), table.description ?? '']),
)}
<p>As files: <code>/v1/schema.graphql</code> and <code>/v1/schema.json</code>, see <a href="/docs/typed-clients">typed clients</a>.</p>`,
  sections: [{ id: '', title: 'API reference', text: words(tables) }],
})

export const createReference = (model: Model): readonly DocsDocument[] => {
  const tables = [...model.tables.values()].sort((left, right) => left.name.localeCompare(right.name))
  return [overview(tables), ...tables.map(table => tableDocument(table, model))]
}
