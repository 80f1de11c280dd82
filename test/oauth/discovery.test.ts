import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const read = async (path: string): Promise<Record<string, unknown>> => {
  const response = await fetch(minaret().baseUrl + path, { headers: { origin: 'https://spa.example.test' } })
  assert.equal(response.status, 200, path)
  assert.equal(response.headers.get('access-control-allow-origin'), '*')
  assert.equal(response.headers.get('access-control-allow-credentials'), null)
  assert.match(response.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
  return (await response.json()) as Record<string, unknown>
}

test('the discovery document has the address of every endpoint', async () => {
  const { baseUrl } = minaret()
  const document = await read('/.well-known/openid-configuration')
  assert.equal(document.issuer, baseUrl)
  assert.equal(document.authorization_endpoint, `${baseUrl}/oauth/authorize`)
  assert.equal(document.token_endpoint, `${baseUrl}/api/oauth/token`)
  assert.equal(document.userinfo_endpoint, `${baseUrl}/api/oauth/userinfo`)
  assert.equal(document.revocation_endpoint, `${baseUrl}/oauth/revoke`)
  assert.equal(document.introspection_endpoint, `${baseUrl}/oauth/introspect`)
  assert.equal(document.pushed_authorization_request_endpoint, `${baseUrl}/oauth/par`)
  assert.equal(document.device_authorization_endpoint, `${baseUrl}/oauth/device_authorization`)
  assert.ok((document.grant_types_supported as string[]).includes('urn:ietf:params:oauth:grant-type:device_code'))
  assert.equal(document.end_session_endpoint, `${baseUrl}/oauth/logout`)
  assert.equal(document.jwks_uri, `${baseUrl}/.well-known/jwks.json`)
  assert.deepEqual(document.response_types_supported, ['code'])
  assert.deepEqual(document.subject_types_supported, ['public'])
  assert.deepEqual(document.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(document.id_token_signing_alg_values_supported, ['RS256', 'ES256'])
  assert.equal(document.authorization_response_iss_parameter_supported, true)
  assert.equal(document.request_parameter_supported, false)
  assert.equal(document.request_uri_parameter_supported, false)
  for (const scope of ['openid', 'events:read', 'events:write'])
    assert.ok((document.scopes_supported as string[]).includes(scope), scope)
  assert.ok((document.claims_supported as string[]).includes('sub'))
})

test('RFC 8414 metadata is the same document', async () => {
  assert.deepEqual(
    await read('/.well-known/oauth-authorization-server'),
    await read('/.well-known/openid-configuration'),
  )
})

test('protected resource metadata names the resource and its authorization server (RFC 9728)', async () => {
  const { baseUrl } = minaret()
  const service = await read('/.well-known/oauth-protected-resource')
  const graphql = await read('/.well-known/oauth-protected-resource/v1/graphql')
  assert.equal(service.resource, baseUrl)
  assert.equal(graphql.resource, `${baseUrl}/v1/graphql`)
  assert.deepEqual(graphql.authorization_servers, [baseUrl])
  assert.ok((graphql.scopes_supported as string[]).includes('donations:write'))
  assert.ok(!(graphql.scopes_supported as string[]).includes('openid'))
  const refused = await fetch(`${baseUrl}/v1/graphql`, { method: 'POST' })
  assert.equal(refused.status, 401)
  const challenge = refused.headers.get('www-authenticate') ?? ''
  assert.ok(challenge.includes(`resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/v1/graphql"`))
})

test('the JWKS has active and next keys of both algorithms, and nothing private', async () => {
  const { keys } = (await read('/.well-known/jwks.json')) as unknown as { keys: Record<string, string>[] }
  assert.deepEqual(keys.map(({ alg }) => alg).sort(), ['ES256', 'ES256', 'RS256', 'RS256'])
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, 4)
  for (const key of keys) {
    assert.equal(key.use, 'sig')
    for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) assert.equal(key[secret], undefined)
  }
})

test('any origin may call from a browser, but never with cookies', async () => {
  const paths = ['/api/oauth/token', '/api/oauth/userinfo', '/oauth/revoke', '/.well-known/jwks.json']
  for (const path of paths) {
    const response = await fetch(minaret().baseUrl + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://spa.example.test',
        'access-control-request-method': path.endsWith('json') ? 'GET' : 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    })
    assert.equal(response.status, 204, path)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
    assert.match(response.headers.get('access-control-allow-headers') ?? '', /authorization/)
  }
})
