// Ids of rows that are well formed, made by somebody who knows how: of other people's rows, in other spellings, in other places.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { sql } from '../../../src/db/sql.ts'
import { masjidId, memberId } from '../../graphql/fixture.ts'
import { idOf, useRelay } from '../../graphql/relay/use-relay.ts'
import { makeApp, makeKey } from '../../support/apps.ts'

const relay = useRelay()
const byId = 'query ($id: ID!) { node(id: $id) { id __typename } }'
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const own = (key: string): string => idOf('up_masjids', key)

/** Sees people of one masjid only, which is its own. */
const narrowKey = async (): Promise<string> => {
  const { database } = relay().api.minaret.service
  const app = await makeApp(database, { scopes: dataScopes, masjids: { only: [masjidId(1)], own: [masjidId(1)] } })
  return (await makeKey(database, { appId: app.id, scopes: dataScopes })).key
}

describe('a row that the reader may not see', () => {
  // Odd members are at masjid 2, even ones at masjid 1.
  const hidden: Readonly<Record<string, () => string>> = {
    'a person of another masjid': () => idOf('ua_members', memberId(3)),
    'a gift of another masjid': () => idOf('ua_donations', '00000000-0000-4000-8000-000000005002'),
    'a masjid that was deleted': () => own(masjidId(12)),
    'a row that never was': () => idOf('ua_members', memberId(99)),
  }
  for (const [what, id] of Object.entries(hidden))
    test(`is null, as if it never was: ${what}`, async () => {
      const key = await narrowKey()
      const asked = [
        await relay().send('/v1/relay', { query: byId, variables: { id: id() } }, key),
        await relay().send('/v1/relay', { query: `{ node(id: "${id()}") { id __typename } }` }, key),
      ]
      for (const answer of asked) assert.deepEqual(answer.data, { node: null }, JSON.stringify(answer))
    })

  test('is not found beside one that the reader may see, in any order, nor by a plan that was made for another', async () => {
    const key = await narrowKey()
    const [mine, other] = [idOf('ua_members', memberId(2)), idOf('ua_members', memberId(3))]
    const query = 'query ($a: ID!, $b: ID!) { a: node(id: $a) { id } b: node(id: $b) { id } }'
    for (const [a, b] of [
      [mine, other],
      [other, mine],
      [other, own(masjidId(1))],
      [own(masjidId(1)), other],
    ]) {
      const data = await relay().ask(query, { a, b }, key)
      assert.deepEqual(data, { a: a === other ? null : { id: a }, b: b === other ? null : { id: b } })
    }
  })

  test('is not kept in memory for others, and each read of people is in the log', async () => {
    const { database } = relay().api.minaret.service
    const key = await narrowKey()
    const id = idOf('ua_members', memberId(3))
    const query = 'query ($id: ID!) { node(id: $id) { ... on ua_members { given_name } } }'
    const count = async () =>
      (await database.query(sql`select from minaret.read_log where table_name = 'ua_members'`)).length
    const before = await count()
    for (let time = 0; time < 3; time += 1) {
      assert.notEqual((await relay().ask(query, { id: idOf('ua_members', memberId(4)) }, key)).node, null)
      assert.equal((await relay().ask(query, { id }, key)).node, null)
    }
    for (let tries = 0; (await count()) === before; tries += 1) assert.ok(tries < 1000, 'the reads are in the log')
  })
})

describe('another spelling of an id is that row, or refused; it never names two things', () => {
  const key = masjidId(1)
  const text = `["up_masjids", "${key}"]`
  const spellings: Readonly<Record<string, string>> = {
    'with padding': `${base64(`${text} `)}`,
    'with the other alphabet': base64(text),
    'with line breaks': `${own(key).slice(0, 8)}\n${own(key).slice(8)}`,
    'with what is no letter of base64': `${own(key).slice(0, 8)}!*${own(key).slice(8)}`,
    'with other last bits': own(key).replace(/.$/, last => String.fromCharCode(last.charCodeAt(0) + 1)),
    'with spaces in the JSON': base64(`[ "up_masjids" ,\n"${key}" ]`),
    'with escapes in the JSON': base64(`["\\u0075p_masjids", "${key}"]`),
    'with a key in capitals': own(key.toUpperCase()),
    'with a key in braces': own(`{${key}}`),
    'with a key without hyphens': own(key.replaceAll('-', '')),
    'with a byte order mark': base64(`\ufeff${text}`),
    'with something behind it': base64(`${text}["ua_members", "${memberId(3)}"]`),
    'with a table in capitals': idOf('UP_MASJIDS', key),
    'with a table and a space': idOf('up_masjids ', key),
    'with a quoted table': idOf('"up_masjids"', key),
    'with a null byte behind the table': idOf('up_masjids\0', key),
    'with an overlong encoding': Buffer.from([0x5b, 0x22, 0xc1, 0xb5, 0x22, 0x5d]).toString('base64url'),
    'with 200,000 more letters': own(key + ' '.repeat(100_000)),
  }
  for (const [what, id] of Object.entries(spellings))
    test(what, async () => {
      const { data, errors } = await relay().send('/v1/relay', { query: byId, variables: { id } })
      if (errors === undefined) assert.ok(data.node === null || data.node.id === own(key), JSON.stringify(data))
      else
        assert.match(String(errors[0]?.extensions.code), /^(bad-id|bad-value|bad_request|validation-failed|too_large)$/)
      assert.doesNotMatch(JSON.stringify(errors ?? ''), /select|relation|pg_/)
    })
})

describe('an id where it does not belong', () => {
  const places: Readonly<Record<string, readonly [string, Record<string, unknown>]>> = {
    'of a view, or a table that is not shown': [byId, { id: idOf('member_links', memberId(3)) }],
    'of the change log': [byId, { id: idOf('changes.log', '1') }],
    'of written rows': [byId, { id: idOf('written_rows', '1') }],
    'of the sandbox': [byId, { id: idOf('sandbox.up_masjids', masjidId(1)) }],
    'of a partition, or a system table': [byId, { id: idOf('pg_class', '1259') }],
    'of a type of pages': [byId, { id: idOf('up_masjids_connection', masjidId(1)) }],
    'in a list': ['query ($id: ID!) { node(id: $id) { id } }', { id: [own(masjidId(1))] }],
    'in an object': [byId, { id: { table: 'ua_members' } }],
    'as a filter': [
      'query ($id: uuid) { up_masjids_connection(where: {id: {_eq: $id}}) { edges { cursor } } }',
      { id: own(masjidId(1)) },
    ],
    'as a cursor': [
      'query ($c: String) { ua_members_connection(after: $c) { edges { cursor } } }',
      { c: own(masjidId(1)) },
    ],
    'with a fragment of another table': [
      `query ($id: ID!) { node(id: $id) { ... on ua_members { masjid { id } nothing } } }`,
      { id: own(masjidId(1)) },
    ],
  }
  for (const [what, [query, variables]] of Object.entries(places))
    test(what, async () => {
      const [error] = await relay().refused(query, variables)
      assert.doesNotMatch(error?.message ?? '', /select|does not exist|permission denied/)
    })

  test('at the other address there is no such field, and a mutation does not take it', async () => {
    for (const query of [
      `{ node(id: "${own(masjidId(1))}") { id } }`,
      `mutation { delete_up_masjids_by_pk(id: "${own(masjidId(1))}") { id } }`,
    ])
      assert.ok((await relay().send('/v1/graphql', { query })).errors !== undefined, query)
  })

  test('thirty at once are charged as thirty, and more are refused', async () => {
    const many = (count: number) =>
      `{ ${Array.from({ length: count }, (_, at) => `n${at}: node(id: "${own(masjidId(1 + (at % 9)))}") { id }`).join(' ')} }`
    assert.equal(Object.keys(await relay().ask(many(30))).length, 30)
    assert.ok((await relay().refused(many(31))).length > 0)
  })
})
