import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccess } from '../../src/access/create-access.ts'
import { createVerifyKeys } from '../../src/access/verify-keys.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createFairTurns } from '../../src/base/fair-turns.ts'
import { createBudget, createLimit } from '../../src/base/limit.ts'
import { createLogger } from '../../src/base/log.ts'
import { openListener } from '../../src/db/listener.ts'
import { createProvider } from '../../src/oauth/provider.ts'
import { issueTokens } from '../../src/oauth/token.ts'
import { startTestMinaret, TEST_SECRET, useMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  basic,
  getAuthorize,
  makeClient,
  makePkce,
  postToken,
  readError,
} from '../support/oauth.ts'

const minaret = useMinaret({ RATE_LIMITS: 'on' })
const grant = { grant_type: 'client_credentials' }

const assertTooMany = (response: Response): void => {
  assert.equal(response.status, 429)
  const seconds = Number(response.headers.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 600, String(seconds))
}

test('an address that is refused a hundred times must wait; a client with the right secret still passes', async () => {
  const app = await makeClient(minaret().service.database, { kind: 'confidential' })
  const wrong = basic({ ...app, secret: 'wrong' })
  for (let count = 0; count < 100; count += 1) assert.equal((await postToken(minaret(), grant, wrong)).status, 401)
  const refused = await postToken(minaret(), grant, wrong)
  assertTooMany(refused)
  assert.equal(refused.headers.get('cache-control'), 'no-store')
  assert.equal((await readError(refused)).error, 'too_many_requests')
  assert.equal((await postToken(minaret(), grant, basic(app))).status, 200)
})

/** The address was refused a hundred times just now. */
test('refusals by one process count in another', async () => {
  const other = await startTestMinaret({ RATE_LIMITS: 'on', DATABASE_URL: minaret().databaseUrl })
  try {
    const app = await makeClient(minaret().service.database, { kind: 'confidential' })
    const wrong = basic({ ...app, secret: 'wrong' })
    const ask = () => postToken(other, grant, wrong)
    let answer = await ask()
    for (let count = 0; count < 20 && answer.status !== 429; count += 1) {
      await new Promise(resolve => setTimeout(resolve, 100))
      answer = await ask()
    }
    assertTooMany(answer)
  } finally {
    await other.stop()
  }
})

test('an address may send 600 authorization requests a minute', async () => {
  const app = await makeClient(minaret().service.database)
  const parameters = authorizeParameters(app, makePkce(), { parameters: { prompt: 'none' } })
  const batch = (count: number) => Promise.all(Array.from({ length: count }, () => getAuthorize(minaret(), parameters)))
  for (let round = 0; round < 6; round += 1) for (const response of await batch(100)) assert.equal(response.status, 303)
  const [refused] = await batch(1)
  assert.ok(refused)
  assertTooMany(refused)
  assert.match(refused.headers.get('content-type') ?? '', /^text\/html/)
})

test('each client has its own limit of tokens a minute', async context => {
  const { database } = minaret().service
  const log = createLogger('silent')
  const listener = await openListener(database.connection, log)
  context.after(() => listener.close())
  const verifyKeys = await createVerifyKeys(database, listener)
  const issuer = minaret().baseUrl
  const access = await createAccess({
    database,
    listener,
    log,
    clock: systemClock,
    issuer,
    sandboxUrl: `${issuer}/sandbox`,
    secret: TEST_SECRET,
    verifyKeys,
  })
  context.after(() => access.close())
  const unused = { note: () => undefined, tally: () => undefined, close: async () => undefined }
  const provider = await createProvider({
    baseUrl: issuer,
    sandboxUrl: `${issuer}/sandbox`,
    httpsOnly: false,
    database,
    listener,
    access,
    audit: unused,
    log,
    counting: undefined,
    turns: createFairTurns({ atOnce: 40, atOnceEach: 10, mostWaiting: 100, mostWaitingEach: 100, mostMs: 1000 }),
    secrets: [TEST_SECRET],
    selfDescribed: false,
  })
  context.after(() => provider.issuer.keys.close())
  const tokensPerClient = createLimit(createBudget({ tries: 3, seconds: 60 }, provider.issuer.clock))
  const limited = { ...provider.token, limits: { ...provider.token.limits, tokensPerClient } }
  const [first, second] = [
    await makeClient(database, { kind: 'confidential' }),
    await makeClient(database, { kind: 'confidential' }),
  ]
  const issue = (app: typeof first) =>
    issueTokens(limited, {
      form: grant,
      address: '192.0.2.1',
      userAgent: undefined,
      authorization: basic(app).authorization,
    })
  for (let count = 0; count < 3; count += 1) await issue(first)
  await assert.rejects(issue(first), { status: 429, code: 'too_many_requests' })
  await issue(second)
})
