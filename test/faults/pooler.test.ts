import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { openListener } from '../../src/db/listener.ts'
import type { Service } from '../../src/service/start-service.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { TEST_SECRET, type TestMinaret } from '../support/minaret.ts'
import { getSeveralTokens, getTokens, makeFlow, refresh, revoke, userinfo, within } from '../support/oauth.ts'
import { runCommand, runMinaret, temporaryFolder, untilReady } from '../support/process.ts'
import { asTestMinaret, serve } from './own-cluster.ts'
import { type Pooler, type PoolMode, startPooler } from './pooler.ts'

const folder = temporaryFolder()
let database: TestDatabase
let poolers: Readonly<Record<PoolMode, Pooler>>

before(async () => {
  database = await createTestDatabase()
  poolers = {
    transaction: await startPooler(join(folder.path, 'transaction'), 'transaction', database.connection),
    session: await startPooler(join(folder.path, 'session'), 'session', database.connection),
  }
})
after(async () => {
  await Promise.all(Object.values(poolers).map(pooler => pooler.stop()))
  await database.drop()
  folder.remove()
})

const reached = (service: Service): TestMinaret => ({
  ...asTestMinaret(service, ''),
  baseUrl: `http://localhost:${service.port}`,
})

const through = (mode: PoolMode): string => poolers[mode].urlFor(database.connection)

describe('behind pgbouncer in transaction mode', () => {
  const start = (environment: Record<string, string>) =>
    runMinaret(['serve'], { MINARET_SECRET: TEST_SECRET, DEMO_DATA: 'off', ...environment })

  test('the start is refused with the reason and the way out', async () => {
    const { status, stderr } = await start({ DATABASE_URL: through('transaction') })
    assert.equal(status, 1)
    assert.match(stderr, /DATABASE_URL goes through a pooler in transaction mode\..*Set DATABASE_LISTEN_URL/)
    assert.doesNotMatch(stderr, /\n\s+at /)
  })

  test('so is one whose listening connection goes through it too', async () => {
    const url = through('transaction')
    const { status, stderr } = await start({ DATABASE_URL: url, DATABASE_LISTEN_URL: url })
    assert.equal(status, 1)
    assert.match(stderr, /DATABASE_LISTEN_URL goes through a pooler/)
  })

  test('so is one that reads through it', async () => {
    const { status, stderr } = await start({ DATABASE_URL: database.url, DATABASE_READ_URL: through('transaction') })
    assert.equal(status, 1)
    assert.match(
      stderr,
      /DATABASE_READ_URL goes through a pooler in transaction mode\..*direct connection to the replica/,
    )
    assert.doesNotMatch(stderr, /\n\s+at /)
  })

  test('doctor says so, and is content with a direct connection to listen', async () => {
    const look = async (environment: Record<string, string>) => {
      const { stdout } = await runCommand(['doctor', '--json'], { MINARET_SECRET: TEST_SECRET, ...environment })
      const { findings } = JSON.parse(stdout) as {
        findings: readonly { check: string; status: string; found: string }[]
      }
      return findings.find(({ check }) => check === 'pooler')
    }
    const alone = await look({ DATABASE_URL: through('transaction') })
    assert.equal(alone?.status, 'fault')
    assert.match(alone?.found ?? '', /DATABASE_URL goes through a pooler in transaction mode/)
    const direct = await look({ DATABASE_URL: through('transaction'), DATABASE_LISTEN_URL: database.url })
    assert.equal(direct?.status, 'ok', JSON.stringify(direct))
    const other = await createTestDatabase()
    const wrong = await look({ DATABASE_URL: through('transaction'), DATABASE_LISTEN_URL: other.url })
    await other.drop()
    assert.equal(wrong?.status, 'fault')
    assert.match(wrong?.found ?? '', /different databases/)
  })

  test('a listener notices that nothing arrives', async () => {
    const connection = { connectionString: `${through('transaction')}?x=1` }
    await assert.rejects(openListener(connection, createLogger('silent')), /notification did not arrive/)
  })

  test('with a direct connection to listen everything works, and revocations arrive within a second', async () => {
    const same = { BASE_URL: 'http://localhost:3999' }
    const [pooled, direct] = await Promise.all([
      serve(through('transaction'), { ...same, DATABASE_LISTEN_URL: database.url }),
      serve(database.url, same),
    ])
    const [one, other] = [reached(pooled), reached(direct)]
    try {
      const flow = await makeFlow(one)
      const all = await getSeveralTokens(one, flow, 5)
      const renewed = await Promise.all(all.map(({ refresh_token }) => refresh(one, flow.app, refresh_token)))
      assert.deepEqual(new Set(renewed.map(({ status }) => status)), new Set([200]))
      for (const { access_token } of all) assert.equal((await userinfo(one, access_token)).status, 200)
      for (const { access_token } of all) {
        await revoke(other, flow.app, access_token)
        await within(1000, 'refused', async () => (await userinfo(one, access_token)).status === 401)
      }
    } finally {
      await Promise.all([pooled.stop(), direct.stop()])
    }
  })
})

test('behind pgbouncer in session mode nothing else is needed', async () => {
  const service = await serve(through('session'))
  const minaret = asTestMinaret(service, '')
  try {
    const tokens = await getTokens(minaret, await makeFlow(minaret))
    assert.equal((await userinfo(minaret, tokens.access_token)).status, 200)
    await untilReady(service.baseUrl)
  } finally {
    await service.stop()
  }
})
