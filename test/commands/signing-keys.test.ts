// `minaret signing-keys …` as typed, beside a running service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { basic, makeClient, readTokens, within } from '../support/oauth.ts'
import { runCommand } from '../support/process.ts'

/** As if just made: those of the template are as old as the run. */
const minaret = useMinaret({}, async ({ service }) => {
  await service.database.run(sql`update minaret.signing_keys set created_at = now()`)
})

const run = (words: readonly string[], secret = TEST_SECRET) =>
  runCommand(words, { DATABASE_URL: minaret().databaseUrl, MINARET_SECRET: secret })

interface KeyLine {
  readonly kid: string
  readonly algorithm: string
  readonly state: string
}

const list = async (): Promise<KeyLine[]> => {
  const { stdout } = await run(['signing-keys', 'list', '--json'])
  return (JSON.parse(stdout) as { keys: KeyLine[] }).keys
}

test('new next keys take over later, old ones at once, and the service follows', async () => {
  const before = await list()
  assert.deepEqual(before.map(({ algorithm, state }) => `${algorithm} ${state}`).sort(), [
    'ES256 active',
    'ES256 next',
    'RS256 active',
    'RS256 next',
  ])
  const early = JSON.parse((await run(['signing-keys', 'rotate', '--json'])).stdout) as Record<string, unknown>
  assert.equal(early.immediate, false)
  assert.deepEqual(await list(), before)
  await minaret().service.database.run(
    sql`update minaret.signing_keys set created_at = created_at - interval '1 hour' where state = 'next'`,
  )
  const { status, stdout } = await run(['signing-keys', 'rotate'])
  assert.equal(status, 0)
  assert.match(stdout, /are now in use/)
  const [next] = before.filter(({ state, algorithm }) => state === 'next' && algorithm === 'ES256')
  assert.ok((await list()).some(({ kid, state }) => kid === next?.kid && state === 'active'))
  await within(2000, 'the service shows six keys', async () => {
    const jwks = (await (await fetch(`${minaret().baseUrl}/.well-known/jwks.json`)).json()) as { keys: unknown[] }
    return jwks.keys.length === 6
  })
})

test('a key that has leaked is gone at once: what it signed is refused, and another one signs', async () => {
  const { baseUrl, service } = minaret()
  const app = await makeClient(service.database, { kind: 'confidential' })
  const issue = async (): Promise<string> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'masjid:read' })
    return (await readTokens(await fetch(`${baseUrl}/api/oauth/token`, { method: 'POST', headers: basic(app), body })))
      .access_token
  }
  const statusOf = async (token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' })
    return (await fetch(`${baseUrl}/v1/graphql`, { method: 'POST', headers, body })).status
  }
  const token = await issue()
  assert.equal(await statusOf(token), 200)
  const active = (await list()).find(({ algorithm, state }) => algorithm === 'ES256' && state === 'active')
  const { status, stderr } = await run(['signing-keys', 'revoke', '--kid', active?.kid ?? ''])
  assert.equal(status, 0, stderr)
  await within(2000, 'its tokens are refused', async () => (await statusOf(token)) === 401)
  await within(2000, 'another key signs', async () => (await statusOf(await issue())) === 200)
  const after = await list()
  assert.deepEqual(
    after.filter(({ kid }) => kid === active?.kid),
    [],
  )
  assert.deepEqual(
    after
      .filter(({ algorithm, state }) => algorithm === 'ES256' && state !== 'retired')
      .map(({ state }) => state)
      .sort(),
    ['active', 'next'],
  )
  const again = await run(['signing-keys', 'revoke', '--kid', active?.kid ?? ''])
  assert.match(again.stderr, /There is no signing key/)
})
