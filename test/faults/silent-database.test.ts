import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import type { Service } from '../../src/service/start-service.ts'
import { scrape, total } from '../observability/scrape.ts'
import { makeKey } from '../support/apps.ts'
import type { TestMinaret } from '../support/minaret.ts'
import {
  authorizeParameters,
  basic,
  type Flow,
  get,
  getTokens,
  makeClient,
  makeFlow,
  makePkce,
  postForm,
  postToken,
  refresh,
  revoke,
  type TestApp,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'
import { asTestMinaret, type OwnCluster, serve, startOwnCluster } from './own-cluster.ts'

/** Long enough for what is answered, on a machine that is busy with other tests. */
const DEADLINE_MS = 6000
/** For the response itself. */
const GRACE_MS = 1500

let cluster: OwnCluster
let service: Service
let minaret: TestMinaret
let flow: Flow
let server: TestApp
let tokens: Tokens
let key: string
const logged: string[] = []

before(async () => {
  cluster = await startOwnCluster()
  const limits = { REQUEST_DEADLINE_MS: String(DEADLINE_MS), STATEMENT_TIMEOUT_MS: '4800', METRICS_PORT: '0' }
  service = await serve(cluster.url, limits, createLogger('info', { write: line => void logged.push(line) }))
  minaret = asTestMinaret(service, cluster.url)
  flow = await makeFlow(minaret)
  server = await makeClient(service.database, { kind: 'confidential' })
  key = (await makeKey(service.database, { appId: flow.app.id })).key
  tokens = await getTokens(minaret, flow)
  assert.equal((await ask()).status, 200)
})
after(async () => {
  cluster.thaw()
  await service.stop()
  await cluster.remove()
})

const ask = (credential = key): Promise<Response> =>
  fetch(`${service.baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
    },
    body: JSON.stringify({ query: '{ up_masjids(limit: 1) { id } }' }),
  })

const credentials = (): Promise<Response> =>
  postToken(minaret, { grant_type: 'client_credentials', scope: 'masjid:read' }, basic(server))

const renew = async (): Promise<Response> => {
  const response = await refresh(minaret, flow.app, tokens.refresh_token)
  if (response.status === 200) tokens = (await response.clone().json()) as Tokens
  return response
}

const authorize = (): Promise<Response> =>
  get(`${service.baseUrl}/oauth/authorize?${authorizeParameters(flow.app, makePkce())}`, flow.cookie)

const requests: Readonly<Record<string, () => Promise<Response>>> = {
  'GraphQL with a key': ask,
  'GraphQL with a token': () => ask(tokens.access_token),
  'client credentials': credentials,
  refresh: renew,
  userinfo: () => userinfo(minaret, tokens.access_token),
  'the authorization page': authorize,
  readyz: () => fetch(`${service.baseUrl}/readyz`),
}

interface Timed {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
  readonly ms: number
}

const timed = async (work: () => Promise<Response>): Promise<Timed> => {
  const watch = startWatch()
  const response = await work()
  const text = await response.text()
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, retryAfter, text, ms: watch() }
}

const askAll = async (): Promise<Map<string, Timed>> =>
  new Map(await Promise.all(Object.entries(requests).map(async ([name, work]) => [name, await timed(work)] as const)))

const isRecovered = async (): Promise<boolean> => {
  const answers = await askAll()
  return [...answers.values()].every(({ status }) => status < 400)
}

const assertUnavailable = (answers: Map<string, Timed>): void => {
  for (const [name, { status, retryAfter, text, ms }] of answers) {
    assert.equal(status, 503, `${name}: ${text}`)
    const most = name === 'readyz' ? 1000 : DEADLINE_MS + GRACE_MS
    assert.ok(ms < most, `${name} took ${Math.round(ms)} ms`)
    if (name === 'readyz') continue
    assert.match(retryAfter ?? '', /^\d+$/, name)
    const code = name.startsWith('GraphQL') ? 'database-unavailable' : 'temporarily_unavailable'
    if (name !== 'the authorization page') assert.ok(text.includes(`"${code}"`), `${name}: ${text}`)
    assert.doesNotMatch(text, /unexpected|ECONN|57P|select /, name)
  }
}

/** What the statements of `work` need is locked meanwhile. */
const whileLocked = async <T>(tables: string, work: () => Promise<T>): Promise<T> => {
  const unlock = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = service.database.transaction(async transaction => {
    await transaction.run(sql`lock table ${rawSql(tables)} in access exclusive mode`)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  try {
    return await work()
  } finally {
    unlock.resolve()
    await holding
  }
}

describe('while the database', () => {
  test('is frozen, every request ends at its deadline, and everything works again afterwards', async () => {
    cluster.freeze()
    const first = await askAll()
    // By now the connections in use are known to be silent.
    const second = await askAll()
    cluster.thaw()
    assertUnavailable(first)
    assertUnavailable(second)
    await within(60_000, 'everything works again', isRecovered)
  })

  test('is frozen, metrics are shown at once, and say so', async () => {
    cluster.freeze()
    try {
      const watch = startWatch()
      await scrape(minaret)
      const ms = watch()
      assert.ok(ms < GRACE_MS, `${Math.round(ms)} ms`)
    } finally {
      cluster.thaw()
    }
    await cluster.stop()
    try {
      const isUp = async (): Promise<number> => total(await scrape(minaret), 'minaret_database_up')
      await within(30_000, 'the database is known to be down', async () => (await isUp()) === 0)
    } finally {
      await cluster.start()
    }
    await within(20_000, 'everything works again', isRecovered)
  })

  test('is down, every request is refused at once, and everything works again afterwards', async () => {
    await cluster.stop()
    const answers = await askAll()
    await cluster.start()
    assertUnavailable(answers)
    await within(60_000, 'everything works again', isRecovered)
  })

  test('restarts, the log has a few lines and the ids of what failed, and no job has failed by itself', async () => {
    const REQUESTS = 60
    const failures = async (cause: string): Promise<number> =>
      total(await scrape(minaret), 'minaret_job_failures_total', { cause })
    const [before, beforeByItself] = [await failures('database'), await failures('itself')]
    await cluster.stop()
    try {
      // What was counted until now has been told.
      const tried: string[] = []
      await within(30_000, 'a request is found in the log', async () => {
        tried.push((await ask()).headers.get('x-request-id') ?? 'none')
        return logged.some(line => tried.some(id => line.includes(id)))
      })
      logged.length = 0
      const watch = startWatch()
      const answers = await Promise.all(Array.from({ length: REQUESTS }, () => userinfo(minaret, tokens.access_token)))
      const asked = await Promise.all(Array.from({ length: REQUESTS }, () => ask()))
      const pages = await Promise.all(Array.from({ length: REQUESTS }, () => authorize()))
      const all = [...answers, ...asked, ...pages]
      for (const { status } of all) assert.equal(status, 503)
      await within(30_000, 'a job has failed', async () => (await failures('database')) > before)
      const seconds = Math.ceil(watch() / 1000)
      interface Line {
        readonly msg: string
        readonly err?: object
        readonly requestId?: string
        readonly requestIds?: readonly string[]
        readonly repeated?: number
      }
      const counted = (): number => {
        const lines = logged.map(line => JSON.parse(line) as Line)
        const own = lines.filter(({ requestId, requestIds }) => requestId !== undefined || requestIds !== undefined)
        return own.reduce((sum, { repeated = 1 }) => sum + repeated, 0)
      }
      await within(30_000, 'all of them are counted', async () => counted() >= all.length)
      const lines = logged.map(line => JSON.parse(line) as Line)
      const kinds = new Set(lines.filter(({ err }) => err !== undefined).map(({ msg }) => msg))
      const stacks = lines.filter(({ err }) => err !== undefined).length
      assert.ok(stacks <= 20, `${stacks} stacks: ${[...kinds].join()}`)
      assert.ok(lines.length <= 60 + 20 * seconds, `${lines.length} lines in ${seconds} s`)
      // Those that were tried at first may be counted with them: a line names five.
      const ids = new Set([...tried, ...all.map(({ headers }) => headers.get('x-request-id'))])
      await within(30_000, 'some of their ids are there', () => {
        const told = logged.map(line => JSON.parse(line) as Line)
        const found = told.flatMap(({ requestId = 'none', requestIds = [] }) => [requestId, ...requestIds])
        return found.filter(id => ids.has(id)).length >= 5
      })
    } finally {
      await cluster.start()
    }
    await within(60_000, 'everything works again', isRecovered)
    assert.equal(await failures('itself'), beforeByItself)
  })

  test('has a lock on tables of identity, requests that need them end in time, and others are answered', async () => {
    const [renewed, asked, granted] = await whileLocked('minaret.refresh_tokens, minaret.authorization_requests', () =>
      Promise.all([timed(renew), timed(ask), timed(credentials)]),
    )
    assert.deepEqual([renewed.status, asked.status, granted.status], [503, 200, 200])
    assert.match(renewed.text, /temporarily_unavailable/)
    assert.ok(renewed.ms < DEADLINE_MS + GRACE_MS, `${renewed.ms} ms`)
    assert.equal((await renew()).status, 200, 'the refresh token was not used up')
  })

  test('cannot say whether a token is valid, nobody is told that it was revoked, or is inactive', async () => {
    const fresh = await makeFlow(minaret)
    const issued = await getTokens(minaret, fresh)
    const owner = await makeClient(service.database, { kind: 'confidential' })
    const own = (await (
      await postToken(minaret, { grant_type: 'client_credentials', scope: 'masjid:read' }, basic(owner))
    ).json()) as Tokens
    const inspect = () => postForm(`${minaret.baseUrl}/oauth/introspect`, { token: own.access_token }, basic(owner))
    const answers = await whileLocked('minaret.apps', () =>
      Promise.all([timed(() => revoke(minaret, fresh.app, issued.access_token)), timed(inspect)]),
    )
    for (const { status, text } of answers) {
      assert.equal(status, 503, text)
      assert.match(text, /temporarily_unavailable/)
    }
    assert.equal((await userinfo(minaret, issued.access_token)).status, 200)
    assert.equal((await revoke(minaret, fresh.app, issued.access_token)).status, 200)
    assert.equal((await userinfo(minaret, issued.access_token)).status, 401)
  })
})
