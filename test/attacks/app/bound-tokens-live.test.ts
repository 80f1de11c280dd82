// Somebody who has stolen a token that is bound to a key, or a proof that was sent with it, opens streams and sockets with them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createNonces } from '../../../src/access/dpop/nonces.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { deriveSecret, randomToken } from '../../../src/base/secrets.ts'
import { follow } from '../../live/events.ts'
import { openSocket, protocols } from '../../live/raw-socket.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { TEST_SECRET, useMinaret } from '../../support/minaret.ts'
import { basic, makeClient, readTokens, type TestApp, within } from '../../support/oauth.ts'
import { makeProofKey, type ProofKey, type ProofWishes, postProven, signProof } from '../../support/proofs.ts'

let app: TestApp
let key: ProofKey
let token: string
/** Of the same app, and not bound. */
let bearer: string
const minaret = useMinaret({}, async ({ service: { database }, baseUrl }) => {
  app = await makeClient(database, { kind: 'confidential' })
  key = await makeProofKey()
  const form = { grant_type: 'client_credentials' }
  const get = () => postProven(key, `${baseUrl}/api/oauth/token`, form, { headers: basic(app) })
  token = (await readTokens(await get())).access_token
  bearer = (await makeKey(database, { appId: app.id })).key
})

const url = (): string => `${minaret().baseUrl}/v1/graphql`
const now = (): number => Math.floor(Date.now() / 1000)
const nonceOf = (secret: string): string => createNonces(deriveSecret(secret, 'dpop nonces'), systemClock).current()
const prove = (wishes: Partial<ProofWishes> = {}, by = key): Promise<string> =>
  signProof(by, { url: url(), token, nonce: nonceOf(TEST_SECRET), ...wishes })
const query = 'subscription { up_masjids(limit: 1) { id } }'
const body = JSON.stringify({ query })
const json = { 'content-type': 'application/json', accept: 'text/event-stream' }
const dpop = () => ({ ...json, authorization: `DPoP ${token}` })

const openStream = async () =>
  follow({ url: url(), query, headers: { authorization: `DPoP ${token}`, dpop: await prove() } })

/** What a thief sends for a stream of events. */
const streams: Readonly<Record<string, () => Promise<Response>>> = {
  'no proof': () => fetch(url(), { method: 'POST', headers: dpop(), body }),
  'the token as a bearer': () =>
    fetch(url(), { method: 'POST', headers: { ...json, authorization: `Bearer ${token}` }, body }),
  'the token as a bearer, with a proof': async () =>
    fetch(url(), { method: 'POST', headers: { ...json, authorization: `Bearer ${token}`, dpop: await prove() }, body }),
  'another key': async () => post(await prove({}, await makeProofKey())),
  'another key that names the right one': async () => post(await prove({ signer: (await makeProofKey()).privateKey })),
  'a proof for GET': async () => post(await prove({ method: 'GET' })),
  'a proof for POST, by GET': async () =>
    fetch(`${url()}?${new URLSearchParams({ query })}`, { headers: { ...dpop(), dpop: await prove() } }),
  'a proof for the reserved streams': async () => post(await prove({ url: `${url()}/stream` })),
  'a proof for this address, at that of the reserved streams': async () =>
    fetch(`${url()}/stream`, { method: 'POST', headers: { ...dpop(), dpop: await prove() }, body }),
  'a proof for a WebSocket': async () => post(await prove({ url: url().replace('http', 'ws') })),
  'a proof for the sandbox': async () => post(await prove({ url: `${minaret().sandboxUrl}/v1/graphql` })),
  'an old proof': async () => post(await prove({ claims: { iat: now() - 61 - 30 } })),
  'a proof of tomorrow': async () => post(await prove({ claims: { iat: now() + 86_400 } })),
  'a proof for another token': async () => post(await prove({ token: bearer })),
  'the nonce of another installation': async () => post(await prove({ nonce: nonceOf(randomToken(32)) })),
  'the proof in the address': async () =>
    fetch(`${url()}?dpop=${await prove()}`, { method: 'POST', headers: dpop(), body }),
  'the proof in the body': async () =>
    fetch(url(), {
      method: 'POST',
      headers: dpop(),
      body: JSON.stringify({ query, extensions: { dpop: await prove() } }),
    }),
  'two proofs': async () => post(`${await prove()}, ${await prove()}`),
  'the owner’s proof of a query': async () => {
    const proof = await prove()
    const first = await fetch(url(), {
      method: 'POST',
      headers: { ...dpop(), accept: '*/*', dpop: proof },
      body: '{"query":"{ __typename }"}',
    })
    assert.equal(first.status, 200)
    return post(proof)
  },
}
const post = (proof: string): Promise<Response> =>
  fetch(url(), { method: 'POST', headers: { ...dpop(), dpop: proof }, body })

describe('a stream of events', () => {
  for (const [what, attack] of Object.entries(streams))
    test(`is not opened by ${what}, even while its owner has one open`, async () => {
      const owner = await openStream()
      await owner.until(1)
      const response = await attack()
      assert.equal(response.status, 401, what)
      assert.doesNotMatch(await response.text(), /up_masjids"|event: next/)
      assert.deepEqual(owner.events, ['next'])
      await owner.close()
    })

  test('is not opened twice by one proof, not even at the same moment', async () => {
    const proof = await prove()
    const both = await Promise.all([post(proof), post(proof)])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401])
    for (const one of both) await one.body?.cancel()
  })
})

const init = (payload: object) => ({ type: 'connection_init', payload })
/** What a thief says on a WebSocket. */
const sockets: Readonly<
  Record<string, () => Promise<{ first: unknown; headers?: Record<string, string>; path?: string }>>
> = {
  'the token with its scheme': async () => ({ first: init({ authorization: `DPoP ${token}` }) }),
  'the token as a bearer': async () => ({ first: init({ authorization: `Bearer ${token}` }) }),
  'a proof beside it': async () => ({
    first: init({ authorization: `DPoP ${token}`, DPoP: await prove({ method: 'GET' }) }),
  }),
  'headers in the message': async () => ({
    first: init({ headers: { authorization: `DPoP ${token}`, dpop: await prove() }, Authorization: `DPoP ${token}` }),
  }),
  'token and proof in the handshake': async () => ({
    first: init({}),
    headers: { authorization: `DPoP ${token}`, dpop: await prove({ method: 'GET', url: url().replace('http', 'ws') }) },
  }),
  'token and proof in both': async () => ({
    first: init({ authorization: `DPoP ${token}` }),
    headers: { authorization: `DPoP ${token}`, dpop: await prove({ method: 'GET' }) },
  }),
  'the token in the address': async () => ({ first: init({}), path: `?access_token=${token}` }),
  'the token with another case of letters': async () => ({ first: init({ authorization: `bearer  ${token}` }) }),
}

describe('a WebSocket', () => {
  for (const [what, attack] of Object.entries(sockets))
    test(`is closed for ${what}`, async () => {
      const { first, headers = {}, path = '' } = await attack()
      for (const protocol of protocols) {
        const socket = await openSocket(url().replace('http', 'ws') + path, [first], { headers, protocol })
        assert.equal((await socket.closed).code, 4403)
        assert.deepEqual(socket.messages, [])
      }
    })

  test('of a bearer does not become one of the bound token: neither by a second greeting, nor by what an operation brings', async () => {
    const messages = [
      init({ authorization: `Bearer ${bearer}` }),
      {
        id: '1',
        type: 'subscribe',
        payload: { query: '{ ua_members(limit: 1) { id } }', extensions: { authorization: `DPoP ${token}` } },
      },
    ]
    for (const protocol of protocols) {
      const socket = await openSocket(url().replace('http', 'ws'), messages, { protocol })
      await within(30_000, 'an answer', () => socket.messages.length > 1)
      assert.equal(socket.messages[1].payload[0].extensions.code, 'insufficient-scope')
      socket.send(init({ authorization: `DPoP ${token}` }))
      assert.equal((await socket.closed).code, 4429)
    }
  })
})

test('a reserved stream of the same app takes no operation with the bound token, with or without a proof', async () => {
  const reserved = await fetch(`${url()}/stream`, { method: 'PUT', headers: { authorization: `Bearer ${bearer}` } })
  const stream = await reserved.text()
  for (const proof of [undefined, await prove({ url: `${url()}/stream` })]) {
    const headers = {
      ...dpop(),
      'x-graphql-event-stream-token': stream,
      ...(proof === undefined ? {} : { dpop: proof }),
    }
    const asked = { query, extensions: { operationId: 'mine' } }
    const response = await fetch(`${url()}/stream`, { method: 'POST', headers, body: JSON.stringify(asked) })
    assert.equal(response.status, 401)
    await response.body?.cancel()
  }
})

test('an open stream ends with its token, and a proof opens no other with it', async () => {
  const { database } = minaret().service
  const other = await makeApp(database, { kind: 'confidential' })
  const client = { ...other, secret: other.clientSecret, redirectUri: '' }
  const form = { grant_type: 'client_credentials' }
  const own = (
    await readTokens(await postProven(key, `${minaret().baseUrl}/api/oauth/token`, form, { headers: basic(client) }))
  ).access_token
  const headers = async () => ({ authorization: `DPoP ${own}`, dpop: await prove({ token: own }) })
  const stream = await follow({ url: url(), query, headers: await headers() })
  await stream.until(1)
  await fetch(`${minaret().baseUrl}/oauth/revoke`, {
    method: 'POST',
    headers: basic(client),
    body: new URLSearchParams({ token: own }),
  })
  await stream.ended
  assert.equal(stream.results.at(-1)?.errors[0].extensions.code, 'invalid_token')
  assert.equal((await follow({ url: url(), query, headers: await headers() })).status, 401)
})
