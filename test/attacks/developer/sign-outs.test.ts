// The server of an app that is told of sign-outs does harm with it: it hangs, leads elsewhere, never ends, or uses the token.
import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import type { User } from '../../../src/accounts/users.ts'
import { sql } from '../../../src/db/sql.ts'
import { CLIENT_ID, type MetadataHost, openMetadataHost } from '../../mcp/metadata-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import {
  basic,
  getTokens,
  makeClient,
  makePerson,
  postForm,
  signIn,
  type TestApp,
  within,
} from '../../support/oauth.ts'
import { closeServer, listen } from '../../support/other-provider.ts'

type Answer = (response: ServerResponse, url: string) => void

let host: MetadataHost
let minaret: TestMinaret
let receiver: Server
let receiverUrl = ''
const told: { readonly path: string; readonly token: string }[] = []
const answers = new Map<string, Answer>()
before(async () => {
  host = await openMetadataHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
  receiver = createServer((request, response) => {
    const path = request.url ?? ''
    let body = ''
    request.on('data', piece => {
      body += piece
    })
    request.on('end', () => {
      told.push({ path, token: new URLSearchParams(body).get('logout_token') ?? '' })
      const answer = answers.get(path)
      if (answer === undefined) response.writeHead(200).end()
      else answer(response, path)
    })
  })
  receiverUrl = await listen(receiver)
})
after(async () => {
  receiver.closeAllConnections()
  await minaret.stop()
  await closeServer(receiver)
  await host.close()
})

const database = () => minaret.service.database
const toldAt = (path: string): number => told.filter(one => one.path === path).length

interface Told extends TestApp {
  readonly path: string
}

const makeTold = async (answer?: Answer, address?: string): Promise<Told> => {
  const app = await makeClient(database(), { kind: 'confidential' })
  const path = `/${app.clientId}`
  if (answer !== undefined) answers.set(path, answer)
  await database().run(sql`
    update minaret.apps set backchannel_logout_uri = ${address ?? `${receiverUrl}${path}`} where id = ${app.id}`)
  return { ...app, path }
}

/** As if so many people had signed out. */
const signOuts = async (app: TestApp, count = 1): Promise<User> => {
  const user = await makePerson(database())
  await database().run(sql`
    insert into minaret.logout_notices (app_id, user_id, sid)
    select ${app.id}, ${user.id}, gen_random_uuid() from generate_series(1, ${count}::int)`)
  await database().run(sql`select pg_notify('minaret_logouts', '')`)
  return user
}

const waitingOf = (app: TestApp): Promise<{ attempts: number; later: boolean }[]> =>
  database().query(sql`
    select attempts, next_attempt_at > now() as later from minaret.logout_notices where app_id = ${app.id}`)

const untilTold = (path: string): Promise<void> => within(30_000, 'it is told', () => toldAt(path) > 0)
const untilGivenUp = (app: TestApp): Promise<void> =>
  within(30_000, 'nothing waits', async () => (await waitingOf(app)).length === 0)
/** Tried once, and still waiting when another app has been told since. */
const untilPostponed = async (app: Told): Promise<void> => {
  await within(30_000, 'it is tried', async () => (await waitingOf(app))[0]?.attempts === 1)
  const witness = await makeTold()
  await signOuts(witness)
  await untilTold(witness.path)
  assert.deepEqual(
    (await waitingOf(app)).map(({ attempts, later }) => [attempts, later]),
    [[1, true]],
  )
}

test('a server that hangs, with forty sign-outs waiting for it, delays no other app', async () => {
  const open = new Set<ServerResponse>()
  let closed = 0
  const hanging = await makeTold(response => {
    open.add(response)
    response.on('close', () => {
      closed += 1
    })
  })
  await signOuts(hanging, 40)
  await untilTold(hanging.path)
  for (let count = 0; count < 3; count += 1) {
    const other = await makeTold()
    await signOuts(other)
    await untilTold(other.path)
  }
  assert.equal(closed, 0, 'the others were told while it hung')
  assert.equal(open.size, 2, 'it is told two at a time')
  for (const response of open) response.destroy()
  await database().run(sql`delete from minaret.logout_notices where app_id = ${hanging.id}`)
})

const hostile: Readonly<Record<string, { readonly answer: Answer; readonly becomes: (app: Told) => Promise<void> }>> = {
  'redirects to another address of ours': {
    answer: response => response.writeHead(307, { location: `${receiverUrl}/inside` }).end(),
    becomes: untilPostponed,
  },
  'redirects to itself': {
    answer: (response, url) => response.writeHead(308, { location: url }).end(),
    becomes: untilPostponed,
  },
  'says 200 and then sends without end': {
    answer: response => {
      response.writeHead(200)
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      }
      response.on('drain', pour)
      pour()
    },
    becomes: untilGivenUp,
  },
  'answers with megabytes of headers': {
    answer: response => {
      response.socket?.write(`HTTP/1.1 200 OK\r\n${`x-${'a'.repeat(1000)}: b\r\n`.repeat(2000)}\r\n`)
      response.socket?.end()
    },
    becomes: untilPostponed,
  },
  'answers with something that is not HTTP': {
    answer: response => void response.socket?.end('220 mail.example.org ESMTP\r\n'),
    becomes: untilPostponed,
  },
  'switches protocols': {
    answer: response => void response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n'),
    becomes: untilPostponed,
  },
  'closes the connection': { answer: response => void response.destroy(), becomes: untilPostponed },
  'refuses the token with markup': {
    answer: response => response.writeHead(400).end('<script>alert(1)</script>'),
    becomes: untilGivenUp,
  },
  'is overloaded': { answer: response => response.writeHead(503).end(), becomes: untilPostponed },
}

for (const [what, { answer, becomes }] of Object.entries(hostile))
  test(`a server that ${what} is told once, and what waits for it does no harm`, async () => {
    const app = await makeTold(answer)
    await signOuts(app)
    await becomes(app)
    assert.equal(toldAt(app.path), 1)
    assert.equal(toldAt('/inside'), 0)
    await database().run(sql`delete from minaret.logout_notices where app_id = ${app.id}`)
  })

test('an address whose name leads into our network when it is told is never reached, nor one with a certificate for another name', async () => {
  // The host of these tests is on loopback, which they may reach: alone, it would be told.
  const inside = [
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
  ]
  for (const [index, address] of inside.entries()) {
    const name = `rebound-${index}.test`
    const all = [
      { address: '127.0.0.1', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ]
    let asked = 0
    host.names.set(name, () => {
      asked += 1
      return all.slice(index % 2)
    })
    const app = await makeTold(undefined, `https://${name}/out`)
    await signOuts(app)
    await untilGivenUp(app)
    assert.equal(asked, 1, name)
  }
  const stranger = await makeTold(undefined, 'https://stranger.test/out')
  await signOuts(stranger)
  await untilPostponed(stranger)
  assert.deepEqual(host.requests, [])
})

test('what waits is not told once the app is suspended or deleted, its owner disabled, or its address removed', async () => {
  const stops = [
    (id: string) => database().run(sql`update minaret.apps set state = 'suspended' where id = ${id}`),
    (id: string) => database().run(sql`update minaret.apps set deleted_at = now() where id = ${id}`),
    (id: string) => database().run(sql`update minaret.apps set backchannel_logout_uri = null where id = ${id}`),
    (id: string) =>
      database().run(sql`
        update minaret.users set disabled_at = now() where id = (select owner_id from minaret.apps where id = ${id})`),
  ]
  const stopped = await Promise.all(
    stops.map(async stop => {
      const app = await makeTold()
      await stop(app.id)
      return app
    }),
  )
  for (const app of stopped) await signOuts(app)
  const witness = await makeTold()
  await signOuts(witness)
  await untilTold(witness.path)
  for (const { path } of stopped) assert.equal(toldAt(path), 0)
})

test('signing out tells an app nothing it did not know, and nothing to apps that never learnt who it was', async () => {
  const [knowing, plain, other] = [await makeTold(), await makeTold(), await makeTold()]
  const user = await makePerson(database(), 'Very Private Name')
  const cookie = await signIn(database(), user)
  const { id_token } = await getTokens(minaret, { app: knowing, user, cookie })
  await getTokens(minaret, { app: plain, user, cookie }, { scope: 'masjid:read' })
  await database().run(sql`update minaret.sessions set ended_at = now() where user_id = ${user.id}`)
  await untilTold(knowing.path)
  const { token = '' } = told.find(({ path }) => path === knowing.path) ?? {}
  const claims = decodeJwt(token)
  assert.deepEqual(Object.keys(claims).toSorted(), ['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'])
  assert.deepEqual([claims.sub, claims.sid, claims.aud], [user.id, decodeJwt(id_token).sid, knowing.clientId])
  assert.equal(toldAt(plain.path) + toldAt(other.path), 0)
})

test('the token of a sign-out opens nothing, wherever its receiver sends it', async () => {
  const app = await makeTold()
  await signOuts(app)
  await untilTold(app.path)
  const { token = '' } = told.find(({ path }) => path === app.path) ?? {}
  const { baseUrl } = minaret
  const bearer = { authorization: `Bearer ${token}` }
  const json = { ...bearer, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const assertion = {
    client_id: app.clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: token,
  }
  const query = JSON.stringify({ query: '{ ua_members { id } }' })
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const tokenUrl = `${baseUrl}/api/oauth/token`
  const attempts: Readonly<Record<string, readonly [Promise<Response>, readonly number[]]>> = {
    userinfo: [fetch(`${baseUrl}/api/oauth/userinfo`, { headers: bearer }), [401]],
    GraphQL: [fetch(`${baseUrl}/v1/graphql`, { method: 'POST', headers: json, body: query }), [401]],
    Relay: [fetch(`${baseUrl}/v1/relay`, { method: 'POST', headers: json, body: query }), [401]],
    assistants: [fetch(`${baseUrl}/mcp`, { method: 'POST', headers: json, body: call }), [401]],
    'the screen endpoint': [fetch(`${baseUrl}/screen/state`, { headers: bearer }), [401]],
    'a refresh token': [postForm(tokenUrl, { grant_type: 'refresh_token', refresh_token: token }, basic(app)), [400]],
    'a code': [
      postForm(
        tokenUrl,
        { grant_type: 'authorization_code', code: token, redirect_uri: app.redirectUri, code_verifier: 'a'.repeat(43) },
        basic(app),
      ),
      [400],
    ],
    'the assertion of the app': [postForm(tokenUrl, { grant_type: 'client_credentials', ...assertion }), [400, 401]],
    'a hint at sign-out': [fetch(`${baseUrl}/oauth/logout?id_token_hint=${token}`, { redirect: 'manual' }), [400]],
    'a request object': [
      fetch(`${baseUrl}/oauth/authorize?client_id=${app.clientId}&request=${token}`, { redirect: 'manual' }),
      [400, 303],
    ],
  }
  for (const [what, [asking, statuses]] of Object.entries(attempts)) {
    const response = await asking
    assert.ok(statuses.includes(response.status), `${what}: ${response.status}`)
    assert.doesNotMatch(response.headers.get('location') ?? '', /[?&]code=/, what)
  }
  const seen = await postForm(`${baseUrl}/oauth/introspect`, { token }, basic(app))
  assert.deepEqual(await seen.json(), { active: false })
  assert.equal(host.requests.includes(CLIENT_ID), false)
})
