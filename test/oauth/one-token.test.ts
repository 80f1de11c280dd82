// One token for userinfo and GraphQL, and a revocation that a second process applies within a second.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { getTokens, makeFlow, refresh, revoke, type Tokens, within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'

const minaret = useMinaret()

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

interface SecondProcess {
  readonly url: string
  readonly process: RunningProcess
}

/** The same issuer and database, another process and port. */
const startSecond = async (): Promise<SecondProcess> => {
  const port = await freePort()
  const process = await startMinaretProcess({
    DATABASE_URL: minaret().databaseUrl,
    MINARET_SECRET: TEST_SECRET,
    BASE_URL: minaret().baseUrl,
    PORT: String(port),
    DEMO_DATA: 'off',
    RATE_LIMITS: 'off',
  })
  return { url: `http://127.0.0.1:${port}`, process }
}

const statuses = async (url: string, token: string): Promise<number[]> => {
  const authorization = { authorization: `Bearer ${token}` }
  const userinfo = await fetch(`${url}/api/oauth/userinfo`, { headers: authorization })
  const graphql = await fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { ...authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })
  return [userinfo.status, graphql.status]
}

test('the same token works for userinfo and GraphQL in every process, until it is revoked in one', async () => {
  const second = await startSecond()
  try {
    const flow = await makeFlow(minaret())
    const places = [minaret().baseUrl, second.url]
    const endings: ((tokens: Tokens) => Promise<unknown>)[] = [
      ({ access_token: token }) => revoke(minaret(), flow.app, token),
      ({ refresh_token: token }) => revoke(minaret(), flow.app, token),
    ]
    for (const end of endings) {
      const tokens = await getTokens(minaret(), flow, { scope: 'openid masjid:read' })
      for (const url of places) assert.deepEqual(await statuses(url, tokens.access_token), [200, 200], url)
      await end(tokens)
      await within(1000, 'every process refuses it', async () => {
        const all = await Promise.all(places.map(url => statuses(url, tokens.access_token)))
        return all.flat().every(status => status === 401)
      })
    }
    const { refresh_token: token } = await getTokens(minaret(), flow)
    const elsewhere = { ...minaret(), baseUrl: second.url }
    const answers = await Promise.all([refresh(minaret(), flow.app, token), refresh(elsewhere, flow.app, token)])
    const [here, there] = (await Promise.all(answers.map(answer => answer.json()))) as Tokens[]
    assert.equal(here?.refresh_token, there?.refresh_token, 'one family, whichever process responds')
  } finally {
    await second.process.stop()
  }
})
