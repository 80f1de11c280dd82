// One address, or one app, asks for as much as it can without being counted. Others are served promptly, and its budget ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { POINTS_PER_MINUTE } from '../../../src/base/address-budget.ts'
import { sql } from '../../../src/db/sql.ts'
import { publicTestKey } from '../../../src/sandbox/public-test-key.ts'
import { makeApp, makeKey, makeUser, PASSWORD } from '../../support/apps.ts'
import { insertMasjid } from '../../support/masjids.ts'
import { useMinaret } from '../../support/minaret.ts'
import { createPerson } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { startWatch } from '../../support/waited.ts'
import { slowness } from '../thread-cost.ts'

const MANY = 110
/** Of the queue of another key; the queue in which everybody stood one behind the other had all of them first. */
const MOST_BEFORE = 40

const masjids: string[] = []
const slugs: string[] = []
let invented: string

const minaret = useMinaret({ SANDBOX_DATA: 'on', RATE_LIMITS: 'on', TRUST_PROXY: 'on' }, async ({ service }) => {
  const { database } = service
  for (let index = 0; index <= MANY; index += 1) masjids.push(await insertMasjid(database))
  await fillDays(database, { from: new Date().toISOString().slice(0, 10), days: 10 })
  const found = await database.query<{ slug: string }>(
    sql`select slug from public.up_masjids where id = any (${masjids}::uuid[])`,
  )
  slugs.push(...found.map(({ slug }) => slug))
  invented =
    (await database.first<{ id: string }>(sql`select id from sandbox.up_masjids order by id limit 1`))?.id ?? ''
})

const ask = (url: string, address: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': address, ...headers } })

const statusOf = async (asked: Promise<Response>): Promise<number> => {
  const response = await asked
  await response.arrayBuffer()
  return response.status
}

interface Race {
  readonly greedy: readonly number[]
  readonly other: number
  /** How many of the greedy ones were answered while the other waited. */
  readonly before: number
}

const race = async (greedy: readonly (() => Promise<Response>)[], other: () => Promise<Response>): Promise<Race> => {
  let done = 0
  const first = Promise.withResolvers<void>()
  const all = Promise.all(
    greedy.map(async send => {
      const status = await statusOf(send())
      done += 1
      if (status === 200) first.resolve()
      return status
    }),
  )
  await first.promise
  const doneThen = done
  const status = await statusOf(other())
  return { before: done - doneThen, other: status, greedy: await all }
}

/** One after the other; on a busy machine the last of them wait too long behind their own. */
const assertServed = (greedy: readonly number[]): void => {
  assert.ok(greedy.includes(200))
  assert.deepEqual(
    greedy.filter(status => status !== 200 && status !== 429),
    [],
  )
}

const last = <T>(list: readonly T[]): T => list[MANY] as T

describe('a hundred and ten requests at once', () => {
  test('for public calendars, one for each masjid, by one address: another gets its own promptly, and nobody 503', async () => {
    const of = (slug: string, address: string) => () => ask(`${minaret().baseUrl}/m/${slug}/prayer-times.ics`, address)
    const { greedy, other, before } = await race(
      slugs.slice(0, MANY).map(slug => of(slug, '192.0.2.1')),
      of(last(slugs), '192.0.2.2'),
    )
    assert.equal(other, 200)
    assert.ok(before < MOST_BEFORE, `${before} of them came first`)
    assertServed(greedy)
  })

  test('for feeds by one app: another app gets its own promptly, and nobody 503', async () => {
    const { database } = minaret().service
    const keyOf = async (): Promise<string> => {
      const app = await makeApp(database, { kind: 'confidential', scopes: ['prayer-times:read'] })
      return (await makeKey(database, { appId: app.id, scopes: ['prayer-times:read'] })).key
    }
    const [busy, quiet] = [await keyOf(), await keyOf()]
    const of = (masjid: string, key: string) => () =>
      ask(`${minaret().baseUrl}/v1/masjids/${masjid}/prayer-times.ics?days=400`, '192.0.2.3', {
        authorization: `Bearer ${key}`,
      })
    const { greedy, other, before } = await race(
      masjids.slice(0, MANY).map(masjid => of(masjid, busy)),
      of(last(masjids), quiet),
    )
    assert.equal(other, 200)
    assert.ok(before < MOST_BEFORE, `${before} of them came first`)
    assertServed(greedy)
  })
})

const DAY_MS = 86_400_000
const QUIET = 60
const LEAST_ANSWERS = 60
/** One of the dearest requests, and what is left of a machine that does other things; more where it is slower. */
const ONE_REQUEST_MS = 60

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Each with an allowance of its own: on a quick machine one of them would use it up. */
const bystanders = Array.from({ length: 100 }, (_, index) => `192.0.2.${101 + index}`)

const bystand = async (until: () => boolean): Promise<number> => {
  const times: number[] = []
  while (times.length < LEAST_ANSWERS || !until()) {
    const elapsed = startWatch()
    const address = bystanders[times.length % bystanders.length] as string
    assert.equal(await statusOf(ask(`${minaret().baseUrl}/.well-known/jwks.json`, address)), 200)
    times.push(elapsed())
  }
  return median(times)
}

/** Each client sends one request after the other; the last status of each. */
const assertNobodyNotices = async (clients: readonly ((count: number) => Promise<Response>)[], each: number) => {
  const quiet = await bystand(() => true)
  const oneRequest = ONE_REQUEST_MS * slowness()
  let running = clients.length
  const attack = Promise.all(
    clients.map(async send => {
      for (let count = 0; count < each; count += 1) await statusOf(send(count))
      running -= 1
    }),
  )
  const under = await bystand(() => running === 0)
  await attack
  assert.ok(under < Math.max(3 * quiet, oneRequest), `median ${under} ms, quiet ${quiet} ms`)
}

describe('a bystander hardly notices', () => {
  test('three clients with the dearest feeds of the sandbox, for days that nobody has asked for', async () => {
    const feed = (address: string, shift: number) => (count: number) => {
      const from = new Date(Date.now() - (3 * count + shift) * DAY_MS).toISOString().slice(0, 10)
      return ask(`${minaret().sandboxUrl}/v1/masjids/${invented}/prayer-times.ics?days=400&from=${from}`, address)
    }
    await assertNobodyNotices(
      [1, 2, 3].map(one => feed(`192.0.2.1${one}`, one)),
      6,
    )
  })

  test('two clients that search the documentation for a hundred letters', async () => {
    const letters = Array.from({ length: 100 }, (_, index) => 'abcdefghijklmnopqrstuvwxyz'[index % 26]).join('+')
    const search = (address: string) => () => ask(`${minaret().baseUrl}/docs/search?q=${letters}`, address)
    await assertNobodyNotices([search('192.0.2.21'), search('192.0.2.22')], QUIET)
  })
})

describe('the budget of an address', () => {
  const spender = '198.51.100.7'
  const feed = () => `${minaret().sandboxUrl}/v1/masjids/${invented}/events.csv`
  const page = () => `${minaret().baseUrl}/m/${slugs[0]}`
  const spend = async (): Promise<void> => {
    for (let spent = 0; spent <= POINTS_PER_MINUTE; spent += 40) {
      const response = await ask(feed(), spender)
      const { status } = response
      await response.arrayBuffer()
      if (status === 429) return
    }
  }

  test('ends with 429 and Retry-After in the shape of what was asked, on both listeners; another address is served', async () => {
    await spend()
    const refused = async (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) => {
      const response = await fetch(url, {
        redirect: 'manual',
        ...init,
        headers: { 'x-forwarded-for': spender, ...headers },
      })
      const text = await response.text()
      assert.equal(response.status, 429, `${url} ${text}`)
      assert.ok(Number(response.headers.get('retry-after')) > 0, url)
      return text
    }
    assert.match(await refused(page(), { accept: 'text/html' }), /<html/)
    assert.match(await refused(`${minaret().baseUrl}/sign-up`, { accept: 'text/html' }), /<html/)
    assert.equal(JSON.parse(await refused(feed())).error, 'too_many_requests')
    await refused(feed(), { authorization: `Bearer ${publicTestKey}` })
    const open = await ask(feed(), spender)
    assert.equal(open.headers.get('access-control-allow-origin'), '*', 'pages can read why')
    await refused(`${minaret().baseUrl}/nothing`)
    const post = { method: 'POST', body: '{"query":"{ up_masjids { id } }"}' }
    const json = { 'content-type': 'application/json' }
    const answer = JSON.parse(
      await refused(
        `${minaret().baseUrl}/v1/graphql`,
        { ...json, accept: 'application/graphql-response+json', authorization: 'Bearer wrong' },
        post,
      ),
    )
    assert.equal(answer.errors[0].extensions.code, 'too_many_requests')
    assert.equal(
      JSON.parse(await refused(`${minaret().baseUrl}/api/oauth/userinfo`, { authorization: 'Bearer wrong' })).error,
      'too_many_requests',
    )
    assert.equal(await statusOf(ask(page(), '198.51.100.8')), 200)
    assert.equal(await statusOf(ask(`${minaret().baseUrl}/healthz`, spender)), 200)
  })

  test('whoever is signed in, or has a credential, is served at that address', async () => {
    const { database } = minaret().service
    const user = await makeUser(database)
    const home = createPerson(minaret().baseUrl, { 'x-forwarded-for': '198.51.100.9' })
    assert.equal((await home.signIn(user.email, PASSWORD)).status, 303)
    const office = { 'x-forwarded-for': spender }
    await spend()
    assert.equal((await home.get('/account', office)).status, 200)
    assert.equal((await home.get('/docs', office)).status, 200)
    const app = await makeApp(database, { kind: 'confidential', scopes: ['masjid:read', 'prayer-times:read'] })
    const { key } = await makeKey(database, { appId: app.id, scopes: ['masjid:read', 'prayer-times:read'] })
    const authorization = `Bearer ${key}`
    const times = `${minaret().baseUrl}/v1/masjids/${masjids[0]}/prayer-times.csv`
    assert.equal(await statusOf(ask(times, spender, { authorization })), 200)
    assert.equal(await statusOf(ask(`${minaret().baseUrl}/v1/schema.json`, spender, { authorization })), 200)
    assert.equal(await statusOf(ask(times, spender, { authorization: `${authorization}x` })), 429)
  })
})
