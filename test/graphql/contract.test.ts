// The contract of the GraphQL endpoint, to the letter, as a client sees it over HTTP.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readingScopes, type Scope, writingScopes } from '../../src/access/scopes.ts'
import { rawSql } from '../../src/db/sql.ts'
import { makeKey } from '../support/apps.ts'
import { basic, makeClient, postToken, readTokens, within } from '../support/oauth.ts'
import { useApi } from './use-api.ts'

const api = useApi()
const RESPONSE = 'application/graphql-response+json'
const run = (text: string): Promise<number> => api().minaret.service.database.run(rawSql(text))

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
type Body = any

const ask = async (query: string, headers: Record<string, string> = {}): Promise<{ status: number; body: Body }> => {
  const response = await api().post({ query }, { accept: RESPONSE, ...headers })
  return { status: response.status, body: await response.json() }
}

test('a masjid has id, name, city, state and address; lists take limit, offset and where with _eq', async () => {
  const query = `{ up_masjids(where: {city: {_eq: "Durham"}}, order_by: {slug: asc}, limit: 2, offset: 1) {
    id name city state address } }`
  const { status, body } = await ask(query)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body), ['data'])
  assert.deepEqual(
    body.data.up_masjids.map((row: Record<string, string>) => [Object.keys(row).join(), row.city, row.address]),
    [
      ['id,name,city,state,address', 'Durham', '10 Street'],
      ['id,name,city,state,address', 'Durham', '4 Street'],
    ],
  )
})

describe('pages', () => {
  test('without limit a list has at most 100 rows, and so has a nested one', async () => {
    await run(`insert into up_masjids (slug, name, address, city, country, latitude, longitude, timezone)
      select 'many-' || n, 'Many', 'x', 'Manytown', 'US', 1, 1, 'UTC' from generate_series(1, 130) n`)
    await run(`insert into up_events (masjid_id, title, starts_local, timezone)
      select id, 'Many', '2026-01-01', 'UTC' from up_masjids, generate_series(1, 130) where slug = 'many-1'`)
    const many = '{ up_masjids(where: {city: {_eq: "Manytown"}}) { id } }'
    assert.equal((await ask(many)).body.data.up_masjids.length, 100)
    assert.equal((await ask(many.replace('})', '}, limit: 100)'))).body.data.up_masjids.length, 100)
    assert.equal((await ask(many.replace('})', '}, offset: 100)'))).body.data.up_masjids.length, 30)
    const found =
      await ask(`{ up_masjids_aggregate(where: {city: {_eq: "Manytown"}}) { aggregate { count } nodes { id } }
      up_masjids_nearby(args: {latitude: 1, longitude: 1}) { id } }`)
    assert.equal(found.body.data.up_masjids_aggregate.aggregate.count, 130)
    assert.equal(found.body.data.up_masjids_aggregate.nodes.length, 100)
    assert.equal(found.body.data.up_masjids_nearby.length, 100)
    const nested = (await ask('{ up_masjids_by_slug(slug: "many-1") { events { id } } }')).body.data
    assert.equal(nested.up_masjids_by_slug.events.length, 100)
  })

  test('limit 101 and -1 are errors that name the maximum, not truncated pages', async () => {
    const lists = (limit: number): string[] => [
      `{ up_masjids(limit: ${limit}) { id } }`,
      `{ up_masjids { events(limit: ${limit}) { id } } }`,
      `{ up_masjids_aggregate(limit: ${limit}) { nodes { id } } }`,
      `{ up_masjids_search(args: {search: "a"}, limit: ${limit}) { id } }`,
    ]
    for (const query of [...lists(101), ...lists(-1)]) {
      const { status, body } = await ask(query)
      assert.equal(status, 400, query)
      assert.equal(body.data, undefined)
      assert.equal(body.errors[0].extensions.code, 'page-out-of-range')
      assert.match(body.errors[0].message, /\b100\b/)
    }
  })
})

const tables: Readonly<Partial<Record<Scope, readonly string[]>>> = {
  'masjid:read': ['up_announcements', 'up_entities', 'up_masjid_origins', 'up_masjids'],
  'events:read': ['up_event_occurrences', 'up_events'],
  'donations:read': ['ua_campaigns', 'ua_donations', 'ua_recurring_donations'],
  'members:read': ['ua_capabilities', 'ua_households', 'ua_members'],
}

describe('scopes', () => {
  /** The lists at the root for this credential: fields that have the same name as their type. */
  const listsOf = async (scopes: readonly Scope[]): Promise<string[]> => {
    const query = '{ __schema { queryType { fields { name type { ofType { ofType { ofType { name } } } } } } } }'
    const { body } = await ask(query, { authorization: `Bearer ${await api().keyWith(scopes)}` })
    const fields = body.data.__schema.queryType.fields as { name: string; type: Body }[]
    return fields.flatMap(({ name, type }) => (type.ofType?.ofType?.ofType?.name === name ? [name] : [])).sort()
  }

  for (const [scope, names] of Object.entries(tables))
    test(`${scope} opens its tables and no others`, async () => {
      const lists = await listsOf([scope as Scope])
      assert.deepEqual(lists, names)
    })

  test('prayer-times:read opens every pc_ table and no others', async () => {
    const every = await api().minaret.service.database.query<{ name: string }>(
      rawSql(`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        and relname like 'pc\\_%' and obj_description(oid, 'pg_class') !~ '(^|\\n)@calculated' order by 1`),
    )
    assert.ok(every.length >= 4)
    assert.deepEqual(
      await listsOf(['prayer-times:read']),
      every.map(({ name }) => name),
    )
  })

  test('write scopes open one’s own answers to events for reading, and no other table; reading needs none of them', async () => {
    assert.deepEqual(await listsOf(writingScopes), ['up_own_rsvps'])
    const every = await listsOf([...readingScopes, ...writingScopes])
    assert.deepEqual(
      await listsOf(readingScopes),
      every.filter(name => name !== 'up_own_rsvps'),
    )
  })

  test('RSVPs open with events:read and members:read together; their counts with events:read alone', async () => {
    assert.ok((await listsOf(['events:read', 'members:read'])).includes('up_event_rsvps'))
    const authorization = `Bearer ${await api().keyWith(['events:read'])}`
    const { status } = await ask('{ up_event_occurrences { going_count waitlisted_count } }', { authorization })
    assert.equal(status, 200)
  })
})

describe('errors', () => {
  test('each has a message, locations, a path where there is one, and a code', async () => {
    const { status, body } = await ask('{\n  up_masjids { id nmae } }')
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['errors'])
    const [error] = body.errors
    assert.match(error.message, /nmae/)
    assert.deepEqual(error.locations, [{ line: 2, column: 19 }])
    assert.equal(error.extensions.code, 'validation-failed')
    const limit = (await ask('{ a: up_masjids { events(limit: 101) { id } } }')).body.errors[0]
    assert.deepEqual(limit.path, ['a', 'events'])
    const authorization = `Bearer ${await api().keyWith(['masjid:read'])}`
    const scope = (await ask('{ a: up_masjids { b: events { id } } }', { authorization })).body.errors[0]
    assert.deepEqual([scope.path, scope.locations], [['a', 'b'], [{ line: 1, column: 19 }]])
  })

  test('an error from the database has the path of its field when the operation has one root field', async () => {
    const one = (await ask('{\n  a: up_masjids(where: {id: {_eq: "x"}}) { id } }')).body.errors[0]
    assert.equal(one.extensions.code, 'bad-value')
    assert.deepEqual([one.path, one.locations], [['a'], [{ line: 2, column: 3 }]])
    const several = (await ask('{ a: up_masjids(where: {id: {_eq: "x"}}) { id } b: up_events { id } }')).body.errors[0]
    assert.deepEqual([several.extensions.code, several.path], ['bad-value', undefined])
  })

  test('a credential for reading sees no mutations, but subscriptions', async () => {
    const authorization = `Bearer ${await api().keyWith(readingScopes)}`
    const { body } = await ask('{ __schema { mutationType { name } subscriptionType { name } } }', { authorization })
    assert.deepEqual(body.data.__schema, { mutationType: null, subscriptionType: { name: 'subscription_root' } })
    assert.equal((await ask('mutation { insert_up_masjids { id } }')).status, 400)
  })
})

describe('credentials', () => {
  const query = '{ up_masjids(limit: 1) { id } }'
  const statusOf = async (credential: string): Promise<number> =>
    (await ask(query, { authorization: `Bearer ${credential}` })).status

  test('a client credentials token can read what its app can', async () => {
    const app = await makeClient(api().minaret.service.database, { kind: 'confidential', scopes: 'masjid:read' })
    const form = { grant_type: 'client_credentials' }
    const { access_token: token } = await readTokens(await postToken(api().minaret, form, basic(app)))
    assert.equal(await statusOf(token), 200)
    const { status, body } = await ask('{ up_events { id } }', { authorization: `Bearer ${token}` })
    assert.equal(status, 403)
    assert.deepEqual(body.errors[0].extensions.scopes, ['events:read'])
  })

  for (const [what, change] of [
    ['an expired', `expires_at = now() - interval '1 second'`],
    ['a revoked', 'revoked_at = now()'],
  ] as const)
    test(`${what} key is 401 with WWW-Authenticate: Bearer and a GraphQL error`, async () => {
      const key = await api().keyWith(['masjid:read'])
      if (what === 'a revoked') assert.equal(await statusOf(key), 200)
      const count = await run(`update minaret.api_keys set ${change} where key_hash = sha256('${key}')`)
      assert.equal(count, 1)
      await within(1000, 'it is refused', async () => (await statusOf(key)) === 401)
      const response = await api().post({ query }, { authorization: `Bearer ${key}` })
      assert.equal(response.status, 401)
      assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
      const { errors } = (await response.json()) as Body
      assert.equal(errors[0].extensions.code, 'invalid_token')
    })

  test('suspending an app revokes its keys and tokens here within a second', async () => {
    const app = await makeClient(api().minaret.service.database, { kind: 'confidential', scopes: 'masjid:read' })
    const { key } = await makeKey(api().minaret.service.database, { appId: app.id })
    const form = { grant_type: 'client_credentials' }
    const { access_token: token } = await readTokens(await postToken(api().minaret, form, basic(app)))
    for (const credential of [key, token]) assert.equal(await statusOf(credential), 200)
    await run(`update minaret.apps set state = 'suspended' where id = '${app.id}'`)
    await within(1000, 'both are refused', async () => (await statusOf(key)) === 401 && (await statusOf(token)) === 401)
  })
})
