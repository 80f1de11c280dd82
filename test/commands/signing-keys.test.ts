// `minaret signing-keys …` as typed, beside a running service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
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
