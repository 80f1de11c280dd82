// An app asks for a scope that its reviewer did not grant, at every door: it is refused there, or the door opens without it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { follow } from '../../live/events.ts'
import { openSocket } from '../../live/raw-socket.ts'
import { send, sendCall } from '../../mcp/use-mcp.ts'
import { visitAs } from '../../staff/use-staff.ts'
import { makeKey, makeUser } from '../../support/apps.ts'
import { askDevice } from '../../support/device.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import {
  authorizeParameters,
  basic,
  type Flow,
  get,
  getAuthorize,
  getCode,
  getTokens,
  locationOf,
  makeFlow,
  makePkce,
  postForm,
  postToken,
  readConsentForm,
  readTokens,
  refresh,
  type Tokens,
  userinfo,
  within,
} from '../../support/oauth.ts'
import { makeEndpoint } from '../../webhooks/use-webhooks.ts'

const GRANTED = ['openid', 'masjid:read', 'events:read'] as const
const BEYOND = 'masjid:read members:read'

let flow: Flow
let ownerId = ''
let masjid = ''
let own: Tokens
/** Of the app itself. */
let key = ''
const minaret = useMinaret({}, async running => {
  const { database } = running.service
  ownerId = (await makeUser(database)).id
  const scopes =
    'openid profile email masjid:read events:read members:read members:write donations:read prayer-times:read'
  flow = await makeFlow(running, { kind: 'confidential', ownerId, deviceFlow: 'on', scopes, granted: GRANTED })
  masjid = await insertMasjid(database)
  await database.run(
    sql`insert into ua_members (masjid_id, user_id, given_name) values (${masjid}, ${flow.user.id}, 'Secret')`,
  )
})
before(async () => {
  own = await getTokens(minaret(), flow, { scope: 'openid masjid:read events:read' })
  key = (await makeKey(database(), { appId: flow.app.id, scopes: ['masjid:read', 'events:read'] })).key
})
const database = () => minaret().service.database
const base = () => minaret().baseUrl

const errorIn = async (response: Response): Promise<string> => {
  const location = response.headers.get('location')
  if (location !== null) return new URL(location, base()).searchParams.get('error') ?? `no error, but ${location}`
  const text = await response.text()
  return /invalid_scope/.exec(text)?.[0] ?? `${response.status} ${text.slice(0, 200)}`
}
const authorize = (parameters: Record<string, string | undefined>) =>
  getAuthorize(minaret(), authorizeParameters(flow.app, makePkce(), { scope: BEYOND, parameters }), flow.cookie)
const token = (form: Record<string, string>) => postToken(minaret(), form, basic(flow.app))

/** Doors at which scopes are asked for. */
const doors: Readonly<Record<string, () => Promise<Response>>> = {
  'the authorization endpoint': () => authorize({}),
  'the same without a page': () => authorize({ prompt: 'none' }),
  'the same by POST': () =>
    postForm(`${base()}/oauth/authorize`, authorizeParameters(flow.app, makePkce(), { scope: BEYOND }), {
      cookie: flow.cookie,
    }),
  'the same behind a granted one, in capitals': () => authorize({ scope: 'masjid:read MEMBERS:READ' }),
  'the same behind a tab': () => authorize({ scope: 'masjid:read\tmembers:read' }),
  'the same with offline_access': () => authorize({ scope: `offline_access ${BEYOND}` }),
  'the same for claims that were not granted': () => authorize({ scope: 'openid email' }),
  'the same for assistants': () => authorize({ resource: `${base()}/mcp` }),
  'the same, to write': () => authorize({ scope: 'members:write' }),
  'the same, one that does not exist': () => authorize({ scope: 'masjid:read admin' }),
  'pushed requests': () =>
    postForm(`${base()}/oauth/par`, authorizeParameters(flow.app, makePkce(), { scope: BEYOND }), basic(flow.app)),
  'the device endpoint': () => askDevice(minaret(), flow.app, { scope: BEYOND }),
  'client credentials': () => token({ grant_type: 'client_credentials', scope: BEYOND }),
  'client credentials, for a person’s claims': () => token({ grant_type: 'client_credentials', scope: 'openid' }),
  'a refresh': async () => {
    const { refresh_token } = await getTokens(minaret(), flow, { scope: 'masjid:read events:read' })
    return refresh(minaret(), flow.app, refresh_token, BEYOND)
  },
  'a refresh of what was not agreed to': async () => {
    const { refresh_token } = await getTokens(minaret(), flow, { scope: 'masjid:read' })
    return refresh(minaret(), flow.app, refresh_token, 'masjid:read events:read')
  },
}

describe('asked for', () => {
  for (const [what, ask] of Object.entries(doors))
    test(`a scope that was not granted is refused at ${what}`, async () =>
      assert.equal(await errorIn(await ask()), 'invalid_scope'))

  test('a scope in the exchange of a code, or in the form of the consent, adds nothing', async () => {
    const { form, headers } = await getCode(minaret(), flow, { scope: 'masjid:read' })
    assert.equal(
      (await readTokens(await postToken(minaret(), { ...form, scope: BEYOND }, headers))).scope,
      'masjid:read',
    )
    const asking = authorizeParameters(flow.app, makePkce(), {
      scope: 'masjid:read',
      parameters: { prompt: 'consent' },
    })
    const page = await get(locationOf(await getAuthorize(minaret(), asking, flow.cookie)).href, flow.cookie)
    const sent = { ...(await readConsentForm(page)), decision: 'allow', scope: BEYOND, scopes: BEYOND }
    await postForm(`${base()}/oauth/consent`, sent, { cookie: flow.cookie })
    const consents = await database().query<{ scopes: string[] }>(
      sql`select scopes from minaret.consents where app_id = ${flow.app.id}`,
    )
    assert.ok(consents.length > 0 && consents.every(({ scopes }) => !scopes.includes('members:read')))
  })

  test('one that is withdrawn between the code and its exchange is not issued', async () => {
    const { form, headers } = await getCode(minaret(), flow, { scope: 'masjid:read events:read' })
    await database().run(sql`update minaret.apps set scopes = '{openid,masjid:read}' where id = ${flow.app.id}`)
    await within(30_000, 'the service hears of it', async () => {
      const response = await token({ grant_type: 'client_credentials', scope: 'events:read' })
      return (await errorIn(response)) === 'invalid_scope'
    })
    const response = await postToken(minaret(), form, headers)
    const { scope } = (await response.json()) as { scope?: string }
    await database().run(sql`update minaret.apps set scopes = ${GRANTED} where id = ${flow.app.id}`)
    assert.doesNotMatch(scope ?? '', /events/)
  })

  test('keys and webhooks of the console have none either, whatever the form says', async () => {
    const owner = await visitAs(minaret(), { id: ownerId } as never)
    const page = `/console/apps/${flow.app.id}`
    const sent = { name: 'Greedy', environment: 'live', scopes: 'members:read', scope: 'members:read' }
    const { text } = await owner.get(`${page}/webhooks`)
    const anti_forgery = /name="anti_forgery" value="([^"]+)"/.exec(text)?.[1] ?? ''
    for (const path of ['/keys', '/keys/new', '/webhooks/new'])
      await owner.post(page + path, {
        anti_forgery,
        ...sent,
        url: 'https://hooks.example.org/',
        tables: 'ua_members',
        query: '{ ua_members { id } }',
      })
    assert.deepEqual(
      await database().query(sql`
      select from minaret.api_keys where app_id = ${flow.app.id} and 'members:read' = any (scopes)`),
      [],
    )
    assert.deepEqual(
      await database().query(sql`select from minaret.webhook_endpoints where app_id = ${flow.app.id}`),
      [],
    )
    await assert.rejects(makeKey(database(), { appId: flow.app.id, scopes: ['members:read'] }))
    // Written past the console, and past the service: what the app was granted still counts.
    const written = await makeKey(database(), { appId: flow.app.id, scopes: ['events:read'] })
    await database().run(sql`update minaret.api_keys set scopes = '{members:read}' where id = ${written.id}`)
    const response = await graphql({ query: PEOPLE }, { authorization: `Bearer ${written.key}` })
    assert.match(await response.text(), /insufficient-scope/)
  })

  test('a change request gives nothing before a reviewer has approved it', async () => {
    await database().run(sql`
      insert into minaret.app_changes (app_id, proposed, requested_by)
      values (${flow.app.id}, '{"requestedScopes": ["masjid:read", "members:read"]}', ${ownerId})`)
    assert.equal(await errorIn(await token({ grant_type: 'client_credentials', scope: BEYOND })), 'invalid_scope')
    assert.equal(await errorIn(await authorize({})), 'invalid_scope')
  })
})

const PEOPLE = '{ ua_members(limit: 1) { given_name } }'
const graphql = (body: object, headers: Record<string, string> = {}, path = '/v1/graphql') =>
  fetch(base() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${own.access_token}`, ...headers },
    body: JSON.stringify(body),
  })
const bearer = () => ({ authorization: `Bearer ${own.access_token}` })

/** Doors at which they are used. */
const uses: Readonly<Record<string, () => Promise<Response>>> = {
  'a query': () => graphql({ query: PEOPLE }),
  'a query by GET': () =>
    fetch(`${base()}/v1/graphql?${new URLSearchParams({ query: PEOPLE })}`, { headers: bearer() }),
  'a batch': () => graphql([{ query: '{ __typename }' }, { query: PEOPLE }]),
  'a fragment of another operation': () =>
    graphql({
      query: `query a { __typename } query b { ...f } fragment f on query_root { ua_members { given_name } }`,
      operationName: 'b',
    }),
  'a mutation': () =>
    graphql({ query: 'mutation { update_ua_members(where: {}, _set: {given_name: "x"}) { affected_rows } }' }),
  'what a mutation returns': () =>
    graphql({
      query: 'mutation { update_up_masjids(where: {}, _set: {name: "x"}) { returning { members { given_name } } } }',
    }),
  'a node': () => graphql({ query: `{ ua_members_connection { edges { node { given_name } } } }` }, {}, '/v1/relay'),
  'a key of the app': () => graphql({ query: PEOPLE }, { authorization: `Bearer ${key}` }),
  'a feed': () => fetch(`${base()}/v1/masjids/${masjid}/prayer-times.csv`, { headers: bearer() }),
  'a feed with a key in its address': () => fetch(`${base()}/v1/masjids/${masjid}/prayer-times.ics?key=${key}`),
  'the tools of assistants': () => sendCall(base(), 'get_my_giving', {}, own.access_token),
  'a query of assistants': () => sendCall(base(), 'query', { query: PEOPLE }, own.access_token),
  'the list of tools': () => send(base(), { method: 'tools/list' }, { token: own.access_token }),
}

describe('used', () => {
  for (const [what, use] of Object.entries(uses))
    test(`a scope that was not granted opens nothing: ${what}`, async () => {
      const response = await use()
      const text = await response.text()
      assert.doesNotMatch(text, /Secret|affected_rows":[1-9]/)
      assert.ok(
        response.status >= 400 || /insufficient-scope|insufficient_scope|method-not/.test(text),
        `${response.status} ${text.slice(0, 300)}`,
      )
    })

  test('nor is there anything of it in the schema, userinfo, streams, sockets and webhooks', async () => {
    const schema = await (await fetch(`${base()}/v1/schema.graphql`, { headers: bearer() })).text()
    assert.match(schema, /type up_events /)
    assert.doesNotMatch(schema, /ua_members|ua_donations/)
    const claims = (await (await userinfo(minaret(), own.access_token)).json()) as object
    assert.deepEqual(Object.keys(claims), ['sub'])
    const query = 'subscription { ua_members { given_name } }'
    const stream = await follow({ url: `${base()}/v1/graphql`, key: own.access_token, query })
    await stream.ended
    assert.equal(stream.results[0].errors[0].extensions.code, 'insufficient-scope')
    const socket = await openSocket(`${base().replace('http', 'ws')}/v1/graphql`, [
      { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
      { id: '1', type: 'subscribe', payload: { query } },
    ])
    await within(30_000, 'the refusal', () => socket.messages.length > 1)
    assert.equal(socket.messages[1].payload[0].extensions.code, 'insufficient-scope')
    socket.socket.terminate()
    const { endpointId } = await makeEndpoint(database(), {
      url: 'http://127.0.0.1:9/',
      appId: flow.app.id,
      tables: ['ua_members'],
    })
    await database().run(sql`update ua_members set given_name = 'Secret too' where masjid_id = ${masjid}`)
    assert.deepEqual(
      await database().query(
        sql`select from minaret.webhook_deliveries where endpoint_id = ${endpointId} and state <> 'withheld'`,
      ),
      [],
    )
  })
})
