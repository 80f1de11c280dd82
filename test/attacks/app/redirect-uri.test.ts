// An app tries redirect URIs beside the registered ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useMinaret } from '../../support/minaret.ts'
import { assertPage, authorizeParameters, getAuthorize, locationOf, makeFlow, makePkce } from '../../support/oauth.ts'

const minaret = useMinaret()

test('a loopback port that does not exist gets no code', async () => {
  const flow = await makeFlow(minaret(), { redirectUris: ['http://127.0.0.1/callback'] })
  const ask = (redirectUri: string) => {
    const wishes = { parameters: { redirect_uri: redirectUri } }
    return getAuthorize(minaret(), authorizeParameters(flow.app, makePkce(), wishes), flow.cookie)
  }
  for (const port of ['99999', '65536', '0', '00080', '655350', '-1', '8080a'])
    await assertPage(await ask(`http://127.0.0.1:${port}/callback`), port)
  assert.equal(locationOf(await ask('http://127.0.0.1:65535/callback')).pathname, '/consent')
})
