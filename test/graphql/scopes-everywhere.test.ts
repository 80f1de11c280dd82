// For every table, every scope it needs and every way to name it: without the scope the whole operation is refused.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { dataScopes, readingScopes, type Scope } from '../../src/access/scopes.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import { useMinaret } from '../support/minaret.ts'
import { fixtureTemplate } from './fixture.ts'
import { isTable, type Way, waysToName } from './ways-to-name.ts'

/** The table of docs/api.md, repeated: this is the contract. */
const scopesOf: Readonly<Record<string, readonly Scope[]>> = {
  up_masjids: ['masjid:read'],
  up_masjid_origins: ['masjid:read'],
  up_entities: ['masjid:read'],
  up_announcements: ['masjid:read'],
  up_events: ['events:read'],
  up_event_occurrences: ['events:read'],
  up_event_rsvps: ['events:read', 'members:read'],
  up_own_rsvps: ['events:write'],
  up_changes: ['masjid:read', 'events:read'],
  pc_prayer_sources: ['prayer-times:read'],
  pc_iqamah_schedules: ['prayer-times:read'],
  pc_calculated_times: ['prayer-times:read'],
  pc_prayer_times: ['prayer-times:read'],
  pc_timetable_days: ['prayer-times:read'],
  pc_timetables: ['prayer-times:read'],
  pc_changes: ['prayer-times:read'],
  pc_hijri_authorities: ['prayer-times:read'],
  pc_hijri_months: ['prayer-times:read'],
  pc_iqamah_changes: ['prayer-times:read'],
  ua_campaigns: ['donations:read'],
  ua_capabilities: ['members:read'],
  ua_donations: ['donations:read'],
  ua_recurring_donations: ['donations:read'],
  ua_members: ['members:read'],
  ua_households: ['members:read'],
}

interface Prepared {
  readonly schema: GraphQLSchema
  readonly everything: GraphqlClient
  /** Every scope but one. */
  readonly without: ReadonlyMap<Scope, GraphqlClient>
}

const schemaSeenBy = async (client: GraphqlClient): Promise<GraphQLSchema> => {
  const { body, text } = await client.query({ query: getIntrospectionQuery() })
  assert.ok(body.data, text)
  return buildClientSchema(body.data)
}

const typesOf = (table: string): string[] =>
  ['', '_bool_exp', '_order_by', '_aggregate', '_select_column', '_aggregate_bool_exp', '_aggregate_order_by'].map(
    suffix => `${table}${suffix}`,
  )

/** Every type that a field or argument in the schema refers to. */
const mentionedTypes = (schema: GraphQLSchema): Set<string> => {
  const mentioned = new Set<string>()
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type))
      for (const field of Object.values(type.getFields())) {
        mentioned.add(getNamedType(field.type).name)
        for (const argument of field.args) mentioned.add(getNamedType(argument.type).name)
      }
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) mentioned.add(getNamedType(field.type).name)
  }
  return mentioned
}

/** The sample text is no cursor of the change log, which is said by the database: the field was reached. */
const isNoCursor = (text: string): boolean => text.includes('This is not a cursor of the change log.')

/** The one table whose totals need a filter: refused, but only to those who may read it. */
const isUnfilteredTotal = (table: string, text: string): boolean =>
  table === 'pc_prayer_times' && text.includes('Totals over all rows of pc_prayer_times')

describe('scopes are enforced wherever a table is named', () => {
  let prepared: Prepared | undefined
  const clients: GraphqlClient[] = []
  after(() => {
    for (const client of clients) client.close()
  })
  useMinaret(
    {},
    async minaret => {
      const { database } = minaret.service
      const { id } = await makeApp(database, { scopes: dataScopes })
      const open = async (scopes: readonly Scope[]): Promise<GraphqlClient> => {
        const client = openClient(minaret, (await makeKey(database, { appId: id, scopes })).key)
        clients.push(client)
        return client
      }
      const everything = await open(dataScopes)
      const without = new Map<Scope, GraphqlClient>()
      for (const scope of [...readingScopes, 'events:write'] as const)
        without.set(scope, await open(dataScopes.filter(one => one !== scope)))
      prepared = { schema: await schemaSeenBy(everything), everything, without }
    },
    { template: fixtureTemplate },
  )
  const ready = (): Prepared => {
    assert.ok(prepared)
    return prepared
  }
  const clientWithout = (scope: Scope): GraphqlClient => ready().without.get(scope) as GraphqlClient
  const seen = new Map<Scope, Promise<GraphQLSchema>>()
  /** Read once for all tables that need the scope. */
  const schemaWithout = (scope: Scope): Promise<GraphQLSchema> => {
    const schema = seen.get(scope) ?? schemaSeenBy(clientWithout(scope))
    seen.set(scope, schema)
    return schema
  }

  test('the tables are those of the contract, each with a way to name it', () => {
    const { schema } = ready()
    const tables = Object.keys(schema.getTypeMap()).filter(name => isTable(schema, name))
    assert.deepEqual(tables.sort(), Object.keys(scopesOf).sort())
  })

  for (const [table, scopes] of Object.entries(scopesOf))
    for (const scope of scopes) {
      /** Ways through tables that need the scope themselves prove nothing about this one. */
      const ways = (): Way[] =>
        waysToName(ready().schema, table).filter(
          ({ through }) => through === undefined || scopesOf[through]?.includes(scope) !== true,
        )

      test(`${table} without ${scope}: every way to name it is refused`, async () => {
        const client = clientWithout(scope)
        assert.ok(ways().length >= 10)
        for (const { name, question } of ways()) {
          const { status, body, text } = await client.query(question)
          const error = body.errors?.find(({ message }) => new RegExp(`\\b${table}\\b`).test(message))
          assert.equal(status, 403, `${name}: ${text}`)
          assert.equal('data' in body, false, name)
          assert.equal(error?.extensions.code, 'insufficient-scope', `${name}: ${text}`)
          assert.match(error?.message ?? '', new RegExp(scope), name)
        }
      })

      test(`${table} without ${scope}: introspection does not show it`, async () => {
        const schema = await schemaWithout(scope)
        const mentioned = mentionedTypes(schema)
        for (const type of typesOf(table)) {
          assert.equal(schema.getType(type), undefined, type)
          assert.equal(mentioned.has(type), false, type)
        }
        const { body } = await clientWithout(scope).query({ query: `{ __type(name: "${table}") { name } }` })
        assert.equal(body.data.__type, null)
      })
    }

  test('with all scopes every one of these ways works', async () => {
    const { schema, everything } = ready()
    for (const table of Object.keys(scopesOf))
      for (const { name, question } of waysToName(schema, table)) {
        const { status, text } = await everything.query(question)
        if (isUnfilteredTotal(table, text) || isNoCursor(text)) continue
        assert.equal(status, 200, `${name}: ${question.query} ${text}`)
      }
  })

  test('a field that a variable skips is neither refused nor read', async () => {
    const client = clientWithout('members:read')
    const query = 'query ($no: Boolean!) { up_masjids(limit: 1) { id members @include(if: $no) { id } } }'
    const left = await client.query({ query, variables: { no: false } })
    assert.deepEqual(Object.keys(left.body.data.up_masjids[0]), ['id'])
    const asked = await client.query({ query, variables: { no: true } })
    assert.equal(asked.body.errors?.[0]?.extensions.code, 'insufficient-scope')
    assert.equal((await client.query({ query, variables: { no: false } })).status, 200)
  })

  test('a plan cached for one credential is not used for another', async () => {
    const question = { query: '{ ua_members(limit: 1) { id } }' }
    assert.equal((await ready().everything.query(question)).status, 200)
    assert.equal((await clientWithout('members:read').query(question)).status, 403)
    assert.equal((await ready().everything.query(question)).status, 200)
  })

  test('introspection cached for one credential is not shown to another', async () => {
    const question = { query: '{ __type(name: "ua_members") { name } }' }
    assert.equal((await ready().everything.query(question)).body.data.__type.name, 'ua_members')
    assert.equal((await clientWithout('members:read').query(question)).body.data.__type, null)
  })

  test('only the operations of a batch that have the scope are answered', async () => {
    const client = clientWithout('members:read')
    const answer = await client.query([
      { query: '{ up_masjids(limit: 1) { id } }' },
      { query: '{ ua_members { id } }' },
    ])
    const [first, second] = answer.body as unknown as { data?: unknown; errors?: { extensions: { code: string } }[] }[]
    assert.ok(first?.data)
    assert.equal(second?.data, undefined)
    assert.equal(second?.errors?.[0]?.extensions.code, 'insufficient-scope')
  })
})
