// Every type of a plain PostgreSQL, and domains, arrays and ranges over them, with every operation that the schema offers on
// their columns: every query is answered or refused with a reason, never with an internal error.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { dataScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type Answer, type GraphqlClient, openClient, waitForTable } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { isSortable, nonsenseAbout, type Question, questionsAbout, valueFields } from './every-type/questions.ts'

let client: GraphqlClient
let schema: GraphQLSchema

const minaret = useMinaret({}, async ({ service, baseUrl }) => {
  const types = readFileSync(new URL('every-type/types.sql', import.meta.url), 'utf8')
  await service.database.run(rawSql(types))
  const app = await makeApp(service.database, { scopes: dataScopes })
  const { key } = await makeKey(service.database, { appId: app.id, scopes: dataScopes })
  client = openClient({ baseUrl }, key)
  await waitForTable(client, 'up_spirited')
  schema = buildSchema((await client.send(undefined, { method: 'GET', path: '/v1/schema.graphql' })).text)
  // Reading a schema of this size takes long enough for an idle connection to be closed meanwhile.
  client.close()
  client = openClient({ baseUrl }, key)
})

const tables = (): string[] =>
  Object.keys(schema.getQueryType()?.getFields() ?? {}).filter(
    name => schema.getType(`${name}_bool_exp`) && /^up_(own|added)_/.test(name),
  )

const ROOTS = 20
const MOST_ROOTS = 30

/** Merges several queries into one operation; a number keeps their variables apart. */
const together = (questions: readonly Question[]) => {
  const declared: string[] = []
  const variables: Record<string, unknown> = {}
  const fields = questions.map(({ field, variables: used }, index) => {
    let text = field
    for (const [name, { type, value }] of Object.entries(used)) {
      declared.push(`$q${index}${name}: ${type}`)
      variables[`q${index}${name}`] = value
      text = text.replace(`$${name}`, `$q${index}${name}`)
    }
    return `q${index}: ${text}`
  })
  return {
    query: `query ${declared.length === 0 ? '' : `(${declared.join(', ')})`} { ${fields.join('\n')} }`,
    variables,
  }
}

const faultsIn = ({ status, body }: Answer): string[] =>
  status >= 500 ? (body.errors ?? []).map(({ message }) => message) : []

/** The queries that fail with an internal error. */
const broken = async (questions: readonly Question[]): Promise<string[]> => {
  if (questions.length === 0) return []
  const answer = await client.query(together(questions))
  if (answer.status === 200) return []
  if (questions.length > 1) {
    const half = Math.ceil(questions.length / 2)
    return [...(await broken(questions.slice(0, half))), ...(await broken(questions.slice(half)))]
  }
  const [only] = questions
  return faultsIn(answer).map(message => `${only?.field} ${JSON.stringify(only?.variables)}: ${message}`)
}

/** The columns' values in the first row; read together unless one of them cannot be shown. */
const valuesOf = async (table: string, fields: readonly string[]): Promise<Record<string, unknown>> => {
  const answer = await client.query({ query: `{ row: ${table}_by_pk(id: 1) { ${fields.join(' ')} } }` })
  if (answer.status === 200) return answer.body.data.row
  const half = Math.ceil(fields.length / 2)
  if (fields.length > 1)
    return { ...(await valuesOf(table, fields.slice(0, half))), ...(await valuesOf(table, fields.slice(half))) }
  assert.deepEqual(faultsIn(answer), [], `${table}.${fields[0]} is not shown`)
  return {}
}

const sweep = async (table: string): Promise<string[]> => {
  const fields = valueFields(schema, table)
  const values = await valuesOf(table, fields)
  const questions = Object.entries(values).flatMap(([field, value]) => questionsAbout(schema, table, field, value))
  const found: string[] = []
  for (let start = 0; start < questions.length; start += ROOTS)
    found.push(...(await broken(questions.slice(start, start + ROOTS))))
  for (const one of nonsenseAbout(schema, table, 'plain')) found.push(...(await broken([one])))
  return [...found, ...(await walk(table, Object.keys(values)))]
}

const aliased = (fields: readonly string[]): string =>
  `{ ${fields.map((one, index) => `p${index}: ${one}`).join('\n')} }`

/** For every order, the page after the cursor of the first row is the rest of the first page. */
const walk = async (table: string, fields: readonly string[]): Promise<string[]> => {
  const orders = fields
    .filter(field => isSortable(schema, table, field))
    .flatMap(field => [`[{${field}: asc}, {id: asc}]`, `[{${field}: desc_nulls_last}, {id: desc}]`])
    .slice(0, MOST_ROOTS)
  const first = await client.query({
    query: aliased(orders.map(order => `${table}(order_by: ${order}) { id _cursor }`)),
  })
  if (first.status !== 200) return faultsIn(first)
  const pages = Object.values<{ _cursor: string }[]>(first.body.data)
  const query = aliased(
    orders.map((order, at) => `${table}(order_by: ${order}, after: "${pages[at]?.[0]?._cursor}") { id _cursor }`),
  )
  const second = await client.query({ query })
  if (second.status === 200)
    for (const [at, order] of orders.entries()) assert.deepEqual(second.body.data[`p${at}`], pages[at]?.slice(1), order)
  return faultsIn(second)
}

describe('every type', () => {
  test('every query is answered or refused with a reason', async () => {
    assert.ok(minaret().baseUrl)
    const found: string[] = []
    for (const table of tables()) found.push(...(await sweep(table)).map(line => `${table}: ${line}`))
    assert.deepEqual(found, [])
    assert.ok(tables().length > 70, `only ${tables().length} types were tested`)
  })

  test('can be used in relationships, even a domain over an enum', async () => {
    const { status, body } = await client.query({
      query: `{ up_moods(where: {spirited: {id: {_gt: 0}}}, order_by: {spirited_aggregate: {count: asc}}) {
        mood spirited(order_by: {id: asc}) { id spirit_moods { mood } } } }`,
    })
    assert.equal(status, 200)
    assert.deepEqual(body.data.up_moods, [
      { mood: 'glad', spirited: [{ id: 1, spirit_moods: { mood: 'glad' } }] },
      {
        mood: 'sad',
        spirited: [
          { id: 2, spirit_moods: { mood: 'sad' } },
          { id: 3, spirit_moods: { mood: 'sad' } },
        ],
      },
    ])
  })
})
