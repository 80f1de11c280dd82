// relay-compiler itself reads the schema of /v1/relay; the queries that it makes of @connection and @refetchable are answered.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Data } from '../../support/graphql.ts'
import { useRelay } from './use-relay.ts'

const relay = useRelay()

/** The package is the path of its program. */
const program: string = createRequire(import.meta.url)('relay-compiler')

const config = {
  src: './src',
  schema: './schema.graphql',
  language: 'typescript',
  eagerEsModules: true,
  persistConfig: { file: './queries.json' },
}

const sources = {
  'Masjids.ts': `graphql\`
    query MasjidsQuery($count: Int!, $cursor: String) {
      up_masjids_connection(order_by: [{name: asc}], first: $count, after: $cursor)
        @connection(key: "Masjids_up_masjids_connection") {
        edges { node { name ...Events_masjid } }
      }
    }\``,
  'Events.ts': `graphql\`
    fragment Events_masjid on up_masjids
      @refetchable(queryName: "EventsPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 2}, cursor: {type: "String"}) {
      events_connection(order_by: [{title: asc}], first: $count, after: $cursor)
        @connection(key: "Events_masjid_events_connection") {
        edges { node { title } }
      }
    }\``,
  'Back.ts': `graphql\`
    fragment Back_query on query_root
      @refetchable(queryName: "BackPaginationQuery")
      @argumentDefinitions(count: {type: "Int", defaultValue: 3}, cursor: {type: "String"}) {
      up_masjids_connection(order_by: [{name: asc}], last: $count, before: $cursor)
        @connection(key: "Back_up_masjids_connection") {
        edges { node { name } }
      }
    }\``,
}

const folder = mkdtempSync(join(tmpdir(), 'minaret-relay-'))
after(() => rmSync(folder, { recursive: true }))

const schemaOf = async (): Promise<string> => {
  const { minaret, key } = relay().api
  const headers = { authorization: `Bearer ${key}` }
  return (await fetch(`${minaret.baseUrl}/v1/relay/schema.graphql`, { headers })).text()
}

/** The text of each query, by its name. */
const compiled = new Map<string, string>()

const run = (name: string, variables: Record<string, unknown>): Promise<Data> => {
  const text = compiled.get(name)
  assert.ok(text !== undefined, `${name} is not among ${[...compiled.keys()].join()}`)
  return relay().ask(text, variables)
}

const namesOf = ({ edges }: Data): string[] => edges.map(({ node }: Data) => node.name)

const listed = async (): Promise<string[]> => {
  const { up_masjids } = await relay().plain('{ up_masjids(order_by: [{name: asc}, {id: asc}]) { name } }')
  return up_masjids.map(({ name }: Data) => name)
}

describe('relay-compiler', () => {
  before(async () => {
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'schema.graphql'), await schemaOf())
    writeFileSync(join(folder, 'relay.config.json'), JSON.stringify(config))
    writeFileSync(join(folder, 'queries.json'), '{}')
    for (const [name, text] of Object.entries(sources))
      writeFileSync(
        join(folder, 'src', name),
        `import { graphql } from 'relay-runtime'\nexport const document = ${text}\n`,
      )
    await promisify(execFile)(program, ['relay.config.json'], { cwd: folder })
    const texts = Object.values(
      JSON.parse(readFileSync(join(folder, 'queries.json'), 'utf8')) as Record<string, string>,
    )
    for (const text of texts) compiled.set(/^query (\w+)/.exec(text)?.[1] ?? '', text)
  })

  test('a query with @connection is answered page by page', async () => {
    const { up_masjids_connection: one } = await run('MasjidsQuery', { count: 6, cursor: null })
    const { endCursor: cursor, hasNextPage } = one.pageInfo
    assert.ok(hasNextPage)
    const { up_masjids_connection: two } = await run('MasjidsQuery', { count: 6, cursor })
    assert.deepEqual([...namesOf(one), ...namesOf(two)], await listed())
    assert.equal(two.pageInfo.hasNextPage, false)
  })

  test('a pagination fragment on a row is fetched again through node', async () => {
    const { up_masjids_connection: page } = await run('MasjidsQuery', { count: 100, cursor: null })
    const { node } = page.edges.find((edge: Data) => edge.node.events_connection.pageInfo.hasNextPage)
    const titles = ({ events_connection: { edges } }: Data) => edges.map((edge: Data) => edge.node.title)
    const { endCursor } = node.events_connection.pageInfo
    const next = (await run('EventsPaginationQuery', { id: node.id, count: 2, cursor: endCursor })).node
    assert.equal(next.__typename, 'up_masjids')
    assert.equal(next.id, node.id)
    assert.ok(titles(next).length > 0)
    assert.ok(titles(next)[0] > titles(node)[1], 'goes on after the first page')
  })

  test('a pagination fragment that goes backwards is fetched from the end', async () => {
    const all = await listed()
    const { up_masjids_connection: last } = await run('BackPaginationQuery', { count: 3, cursor: null })
    assert.deepEqual(namesOf(last), all.slice(-3))
    const { startCursor: cursor } = last.pageInfo
    const { up_masjids_connection: before } = await run('BackPaginationQuery', { count: 3, cursor })
    assert.deepEqual(namesOf(before), all.slice(-6, -3))
  })
})
