// /mcp as a protected resource, in both versions of the protocol.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeJwt } from 'jose'
import { useMinaret } from '../support/minaret.ts'
import {
  basic,
  getCode,
  getTokens,
  makeClient,
  makeFlow,
  makePerson,
  postForm,
  postToken,
  readError,
  readTokens,
  refresh,
  revoke,
  type TestApp,
  userinfo,
  within,
} from '../support/oauth.ts'
import { ask } from '../support/sandbox.ts'
import { call, send, sendCall, tokensFor, VERSION } from './use-mcp.ts'

const minaret = useMinaret()
const resource = () => `${minaret().baseUrl}/mcp`
const challengeOf = (response: Response): string => response.headers.get('www-authenticate') ?? ''

describe('the resource', () => {
  test('has metadata of its own, which names what is public (RFC 9728)', async () => {
    const { baseUrl } = minaret()
    const response = await fetch(`${baseUrl}/.well-known/oauth-protected-resource/mcp`)
    const metadata = (await response.json()) as Record<string, unknown>
    assert.equal(metadata.resource, resource())
    assert.deepEqual(metadata.authorization_servers, [baseUrl])
    assert.deepEqual(metadata.scopes_supported, ['masjid:read', 'events:read', 'prayer-times:read'])
    const discovery = (await (await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)).json()) as {
      protected_resources: string[]
    }
    assert.ok(discovery.protected_resources.includes(resource()))
  })

  test('describes itself for registries', async () => {
    const { baseUrl } = minaret()
    const document = (await (await fetch(`${baseUrl}/mcp/server.json`)).json()) as { remotes: object[] }
    assert.deepEqual(document.remotes, [{ type: 'streamable-http', url: resource() }])
    assert.equal((await fetch(`${baseUrl}/docs/assistants`)).status, 200)
  })

  test('without a token, 401 names the metadata and the scopes of the tool that was called', async () => {
    const { baseUrl } = minaret()
    const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`
    const cases = [
      [await send(baseUrl, { method: 'tools/list' }), 'masjid:read events:read prayer-times:read'],
      [await sendCall(baseUrl, 'find_masjids', { words: 'x' }), 'masjid:read'],
      [await sendCall(baseUrl, 'get_my_giving', {}), 'masjid:read donations:read members:read'],
      [await sendCall(baseUrl, 'change_iqamah', {}), 'masjid:read prayer-times:read prayer-times:write'],
    ] as const
    for (const [response, scope] of cases) {
      assert.equal(response.status, 401)
      assert.ok(challengeOf(response).includes(metadata), challengeOf(response))
      assert.ok(challengeOf(response).includes(`scope="${scope}"`), challengeOf(response))
    }
  })

  test('a token with too few scopes gets 403 with the scopes of the tool alone; a query with those of its tables', async () => {
    const { baseUrl, service } = minaret()
    const user = await makePerson(service.database)
    const { access_token: token } = await tokensFor(minaret(), user, 'masjid:read')
    const giving = await sendCall(baseUrl, 'get_my_giving', {}, token)
    assert.equal(giving.status, 403)
    assert.match(challengeOf(giving), /error="insufficient_scope"/)
    assert.match(challengeOf(giving), /scope="masjid:read donations:read members:read"/)
    assert.match(challengeOf(giving), /resource_metadata="[^"]+\/oauth-protected-resource\/mcp"/)
    const query = '{ up_masjids(limit: 1) { name events(limit: 1) { title } } }'
    const events = await sendCall(baseUrl, 'query', { query }, token)
    assert.equal(events.status, 403)
    assert.match(challengeOf(events), /scope="masjid:read events:read"/)
    assert.equal((await sendCall(baseUrl, 'query', { query: '{ up_masjids(limit: 1) { name } }' }, token)).status, 200)
  })
})

describe('tokens', () => {
  test('have the audience that was authorized, also after a refresh, and open nothing else', async () => {
    const { baseUrl, service } = minaret()
    const user = await makePerson(service.database)
    const tokens = await tokensFor(minaret(), user)
    assert.equal(decodeJwt(tokens.access_token).aud, resource())
    assert.equal((await send(baseUrl, { method: 'tools/list' }, { token: tokens.access_token })).status, 200)
    assert.equal((await userinfo(minaret(), tokens.access_token)).status, 401)
    const { errors } = await ask(baseUrl, { query: '{ up_masjids { id } }' }, tokens.access_token)
    assert.equal(errors?.[0]?.extensions.code, 'invalid_token')
    const again = await readTokens(await refresh(minaret(), tokens.flow.app, tokens.refresh_token))
    assert.equal(decodeJwt(again.access_token).aud, resource())
  })

  test('for the service do not work here, nor do API keys', async () => {
    const { baseUrl } = minaret()
    const flow = await makeFlow(minaret())
    const { access_token: token } = await getTokens(minaret(), flow, { scope: 'masjid:read' })
    assert.equal((await send(baseUrl, { method: 'tools/list' }, { token })).status, 401)
    const key = await send(baseUrl, { method: 'tools/list' }, { token: `mk_live_${'a'.repeat(40)}` })
    assert.equal(key.status, 401)
    assert.match(challengeOf(key), /API keys do not work here/)
  })

  test('a token request may repeat the resource, and not name another', async () => {
    const flow = await makeFlow(minaret())
    const wishes = { scope: 'masjid:read', parameters: { resource: resource() } }
    const other = await getCode(minaret(), flow, wishes)
    const refused = await postToken(minaret(), { ...other.form, resource: minaret().baseUrl }, other.headers)
    assert.deepEqual([refused.status, (await readError(refused)).error], [400, 'invalid_target'])
    const tokens = await readTokens(await postToken(minaret(), { ...other.form, resource: resource() }, other.headers))
    assert.equal(decodeJwt(tokens.access_token).aud, resource())
    const { app } = flow
    const renew = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: app.clientId }
    const wider = await postToken(minaret(), { ...renew, resource: minaret().baseUrl })
    assert.equal((await readError(wider)).error, 'invalid_target')
    assert.equal((await postToken(minaret(), { ...renew, resource: resource() })).status, 200)
    const plain = await getCode(minaret(), flow, { scope: 'masjid:read' })
    const sneaked = await postToken(minaret(), { ...plain.form, resource: resource() }, plain.headers)
    assert.equal((await readError(sneaked)).error, 'invalid_target')
  })

  test('are introspected by their own app, which learns what they are for', async () => {
    const { baseUrl, service } = minaret()
    const flow = await makeFlow(minaret(), { kind: 'confidential' })
    const wishes = { scope: 'masjid:read', parameters: { resource: resource() } }
    const { access_token: token } = await getTokens(minaret(), flow, wishes)
    const introspect = async (app: TestApp): Promise<Record<string, unknown>> => {
      const response = await postForm(`${baseUrl}/oauth/introspect`, { token }, basic(app))
      return (await response.json()) as Record<string, unknown>
    }
    const { active, aud, client_id: clientId } = await introspect(flow.app)
    assert.deepEqual([active, aud, clientId], [true, resource(), flow.app.clientId])
    const stranger = await makeClient(service.database, { kind: 'confidential' })
    assert.deepEqual(await introspect(stranger), { active: false })
  })

  test('that are revoked no longer work', async () => {
    const { baseUrl, service } = minaret()
    const tokens = await tokensFor(minaret(), await makePerson(service.database))
    assert.equal((await revoke(minaret(), tokens.flow.app, tokens.access_token)).status, 200)
    await within(30_000, 'the token is refused', async () => {
      const response = await send(baseUrl, { method: 'tools/list' }, { token: tokens.access_token })
      return response.status === 401
    })
  })
})

describe('the protocol', () => {
  const listed = async (token: string): Promise<string[]> => {
    const response = await send(minaret().baseUrl, { method: 'tools/list' }, { token })
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }

  test('of 2026-07-28: every request stands by itself', async () => {
    const { baseUrl, service } = minaret()
    const { access_token: token } = await tokensFor(minaret(), await makePerson(service.database))
    const discovered = (await (await send(baseUrl, { method: 'server/discover' }, { token })).json()) as {
      result: { supportedVersions: string[]; capabilities: Record<string, unknown> }
    }
    assert.ok(discovered.result.supportedVersions.includes(VERSION))
    assert.ok(discovered.result.capabilities.tools !== undefined)
    assert.ok((await listed(token)).includes('find_masjids'))
    const unknown = await sendCall(baseUrl, 'no_such_tool', {}, token)
    assert.equal(((await unknown.json()) as { error: { code: number } }).error.code, -32602)
    assert.deepEqual(await call(baseUrl, 'find_masjids', { words: 'nothing is called so' }, token), {
      masjids: [],
      more: false,
    })
  })

  test('of 2025-11-25: a client that begins with initialize is answered too, without a session', async () => {
    const { baseUrl, service } = minaret()
    const { access_token: token } = await tokensFor(minaret(), await makePerson(service.database))
    const post = (body: object): Promise<Response> =>
      fetch(`${baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(body),
      })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const begun = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    assert.equal(begun.status, 200)
    assert.equal(begun.headers.get('mcp-session-id'), null)
    assert.match(await begun.text(), /"protocolVersion":"2025-11-25"/)
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
    assert.match(await (await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' })).text(), /"get_next_prayer"/)
    assert.equal((await post([{ jsonrpc: '2.0', id: 3, method: 'ping' }])).status, 400)
  })

  test('what is no message, and streams, are refused', async () => {
    const { baseUrl, service } = minaret()
    const { access_token: token } = await tokensFor(minaret(), await makePerson(service.database))
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' }
    const post = (body: string, type = 'application/json'): Promise<Response> =>
      fetch(`${baseUrl}/mcp`, { method: 'POST', headers: { ...headers, 'content-type': type }, body })
    assert.equal((await post('{')).status, 400)
    assert.equal((await post('{}', 'text/plain')).status, 415)
    const get = await fetch(`${baseUrl}/mcp`)
    assert.deepEqual([get.status, get.headers.get('allow')], [405, 'POST, OPTIONS'])
    assert.equal((await send(baseUrl, { method: 'subscriptions/listen' }, { token })).status, 404)
  })

  test('every tool has schemas of plain objects, without references or alternatives', async () => {
    const { baseUrl, service } = minaret()
    const { access_token: token } = await tokensFor(minaret(), await makePerson(service.database))
    const response = await send(baseUrl, { method: 'tools/list' }, { token })
    const { result } = (await response.json()) as { result: { tools: Record<string, unknown>[] } }
    assert.equal(result.tools.length, 13)
    for (const { name, inputSchema, outputSchema } of result.tools)
      for (const schema of [inputSchema, outputSchema]) {
        assert.equal((schema as { type: string }).type, 'object', String(name))
        assert.doesNotMatch(JSON.stringify(schema), /"\$ref"|"anyOf"|"oneOf"|"allOf"/, String(name))
      }
  })

  test('pages of other origins may call it only over https, or from this machine', async () => {
    const { baseUrl } = minaret()
    const from = async (origin: string): Promise<number> =>
      (await send(baseUrl, { method: 'tools/list' }, { headers: { origin } })).status
    assert.equal(await from('http://evil.example.com'), 403)
    assert.equal(await from('null'), 403)
    assert.equal(await from('https://assistant.example.org'), 401)
    assert.equal(await from('http://localhost:6274'), 401)
  })
})
