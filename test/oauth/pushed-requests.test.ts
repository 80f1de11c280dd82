import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'
import {
  assertPage,
  authorizeParameters,
  decide,
  type Flow,
  get,
  getAuthorize,
  locationOf,
  makeFlow,
  makePkce,
  postForm,
  postToken,
  readTokens,
} from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

test('pushed requests work once, for the client that pushed them; other parameters are ignored', async () => {
  const own = await makeFlow(minaret(), { kind: 'confidential' })
  const push = (parameters: URLSearchParams, secret = own.app.secret) =>
    postForm(`${minaret().baseUrl}/oauth/par`, parameters, {
      authorization: `Basic ${Buffer.from(`${own.app.clientId}:${secret}`).toString('base64')}`,
    })
  const pkce = makePkce()
  const response = await push(authorizeParameters(own.app, pkce, { scope: 'masjid:read' }))
  assert.equal(response.status, 201)
  const pushed = (await response.json()) as { request_uri: string; expires_in: number }
  assert.match(pushed.request_uri, /^urn:ietf:params:oauth:request_uri:[\w-]{43}$/)
  assert.equal(pushed.expires_in, 90)
  const browse = (clientId: string) =>
    new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri, scope: 'members:read', state: 'other' })
  await assertPage(await getAuthorize(minaret(), browse(flow.app.clientId), own.cookie), 'another client')
  const asked = locationOf(await getAuthorize(minaret(), browse(own.app.clientId), own.cookie))
  const arrived = await decide(minaret(), asked, own.cookie)
  assert.equal(arrived.searchParams.get('state'), 'state of the test')
  const tokens = await readTokens(
    await postToken(
      minaret(),
      {
        grant_type: 'authorization_code',
        code: arrived.searchParams.get('code') ?? '',
        redirect_uri: own.app.redirectUri,
        code_verifier: pkce.verifier,
      },
      { authorization: `Basic ${Buffer.from(`${own.app.clientId}:${own.app.secret}`).toString('base64')}` },
    ),
  )
  assert.equal(tokens.scope, 'masjid:read')
  await assertPage(await getAuthorize(minaret(), browse(own.app.clientId), own.cookie), 'used already')

  assert.equal((await push(authorizeParameters(own.app, pkce), 'wrong')).status, 401)
  const refusals: [Record<string, string | undefined>, string][] = [
    [{ redirect_uri: 'https://evil.example' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'nothing' }, 'invalid_scope'],
    [{ request_uri: pushed.request_uri }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
  ]
  for (const [parameters, error] of refusals) {
    const refused = await push(authorizeParameters(own.app, pkce, { parameters }))
    assert.equal(refused.status, 400)
    assert.equal(((await refused.json()) as { error: string }).error, error)
  }
})

test('references of pushed and stored requests are not interchangeable', async () => {
  const own = await makeFlow(minaret())
  const kept = locationOf(await getAuthorize(minaret(), authorizeParameters(own.app, makePkce())))
  const reference = kept.searchParams.get('request')
  const asPushed = new URLSearchParams({
    client_id: own.app.clientId,
    request_uri: `urn:ietf:params:oauth:request_uri:${reference}`,
  })
  await assertPage(await getAuthorize(minaret(), asPushed, own.cookie), 'a kept reference')
  const response = await postForm(`${minaret().baseUrl}/oauth/par`, authorizeParameters(own.app, makePkce()))
  const pushed = ((await response.json()) as { request_uri: string }).request_uri.split(':').pop()
  await assertPage(await get(`${minaret().baseUrl}/consent?request=${pushed}`, own.cookie), 'a pushed reference')
})
