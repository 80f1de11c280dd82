// Answers that were made for those who see a masjid in full, asked for again by a stranger, in every way there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataScopes } from '../../../src/access/scopes.ts'
import { sql } from '../../../src/db/sql.ts'
import { fixtureTemplate, masjidId } from '../../graphql/fixture.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'

const minaret = useMinaret({}, undefined, { template: fixtureTemplate })
const here = masjidId(1)

const keyOf = async (own: readonly string[]): Promise<string> => {
  const { database } = minaret().service
  const app = await makeApp(database, { scopes: dataScopes, masjids: { only: '*', own } })
  return (await makeKey(database, { appId: app.id, scopes: dataScopes })).key
}

const send = async (key: string, path: string, body: unknown, accept = 'application/json'): Promise<string> => {
  const response = await fetch(`${minaret().baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, accept },
    body: JSON.stringify(body),
  })
  if (!accept.startsWith('text/event-stream')) return response.text()
  // The first event of the stream.
  const reader = (response.body ?? new ReadableStream()).getReader()
  let text = ''
  while (!text.includes('history') && !text.includes('error')) {
    const { value, done } = await reader.read()
    if (done) break
    text += Buffer.from(value).toString()
  }
  await reader.cancel()
  return text
}

const where = `where: {id: {_eq: "${here}"}}`
const ways: Readonly<Record<string, (key: string) => Promise<string>>> = {
  'a row': key => send(key, '/v1/graphql', { query: `{ up_masjids(${where}) { name history } }` }),
  'nodes of an aggregate': key =>
    send(key, '/v1/graphql', { query: `{ up_masjids_aggregate(${where}) { nodes { history } } }` }),
  'another row': key =>
    send(key, '/v1/graphql', {
      query: `{ up_events(where: {masjid_id: {_eq: "${here}"}}, limit: 1) { masjid { history } } }`,
    }),
  connections: key =>
    send(key, '/v1/relay', { query: `{ up_masjids_connection(${where}, first: 1) { edges { node { history } } } }` }),
  'a subscription': key =>
    send(
      key,
      '/v1/graphql',
      { query: `subscription { up_masjids(${where}) { history } }` },
      'text/event-stream, application/json',
    ),
}

test('whoever asked before, a stranger is told nothing that was removed, in any way', async () => {
  const { database } = minaret().service
  await database.run(sql`update public.up_masjids set phone = '+1 919 555 0100' where id = ${here}`)
  await database.run(sql`update public.up_masjids set phone = null where id = ${here}`)
  const [full, stranger] = [await keyOf([here]), await keyOf([])]
  for (const [name, ask] of Object.entries(ways)) {
    // Answers are kept from the second request on.
    for (let times = 0; times < 3; times += 1) {
      const told = await ask(full)
      assert.match(told, /555 0100/, `${name}: ${told}`)
    }
    for (let times = 0; times < 3; times += 1) {
      const told = await ask(stranger)
      assert.match(told, /history/, `${name}: ${told}`)
      assert.doesNotMatch(told, /555 0100/, name)
    }
  }
  const searched = await send(stranger, '/v1/graphql', {
    query: '{ up_masjids(where: {history: {_contains: [{}]}}) { id } }',
  })
  assert.match(searched, /errors/, 'nobody searches by it')
})
