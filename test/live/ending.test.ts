// How soon a subscription ends when its credential does: by the clock of the process that serves it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { rawSql } from '../../src/db/sql.ts'
import { fixtureTemplate } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../support/minaret.ts'
import { getTokens, makeFlow, moveApp, revoke, type TestApp, within } from '../support/oauth.ts'
import { startWatch } from '../support/waited.ts'
import { type Followed, follow } from './events.ts'
import { openSocket, protocols } from './raw-socket.ts'

const ENDED = 'a subscription was ended'
const PATIENCE_MS = 30_000
const MOST_MS = 1000
const LIST = 'subscription { up_masjids(limit: 3, order_by: {slug: asc}) { slug } }'

let minaret: TestMinaret
const said: { readonly time: number; readonly msg: string; readonly reason?: string }[] = []
const log = pino({ level: 'debug' }, { write: line => void said.push(JSON.parse(line)) })

before(async () => {
  minaret = await startTestMinaret({}, { template: fixtureTemplate, log })
})
after(() => minaret.stop())

const url = (): string => `${minaret.baseUrl}/v1/graphql`

/** Over each transport. */
const openAll = async (key: string): Promise<Followed> => {
  const events = await follow({ url: url(), key, query: LIST })
  await events.until(1)
  for (const protocol of protocols) {
    const messages = [
      { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
      { id: '1', type: 'subscribe', payload: { query: LIST } },
    ]
    const socket = await openSocket(url().replace('http', 'ws'), messages, { protocol })
    await within(PATIENCE_MS, 'a result', async () => socket.messages.some(({ type }) => type === 'next'))
  }
  return events
}

/** What a busy machine added is not counted. */
const timed = async (reason: string, begin: () => Promise<number>): Promise<void> => {
  const count = said.length
  const began = await begin()
  const [watch, watched] = [startWatch(), performance.now()]
  const ends = () => said.slice(count).filter(({ msg }) => msg === ENDED)
  await within(PATIENCE_MS, 'all have ended', async () => ends().length > protocols.length)
  const added = performance.now() - watched - watch()
  assert.deepEqual([...new Set(ends().map(one => one.reason))], [reason])
  const ms = Math.max(...ends().map(({ time }) => time)) - began
  assert.ok(ms < MOST_MS + added, `${ms} ms, of which the machine may have added ${Math.round(added)}`)
}

const newKey = async (expiresAt?: Date) => {
  const { database } = minaret.service
  const app = await makeApp(database, { scopes: ['masjid:read', 'events:read'] })
  const { key } = await makeKey(database, {
    appId: app.id,
    scopes: ['masjid:read', 'events:read'],
    ...(expiresAt === undefined ? {} : { expiresAt }),
  })
  return { app, key }
}

test('a revoked token ends its subscriptions within a second', async () => {
  const flow = await makeFlow(minaret)
  const { access_token: token } = await getTokens(minaret, flow, { scope: 'masjid:read' })
  const events = await openAll(token)
  await timed('invalid_token', async () => {
    await revoke(minaret, flow.app, token)
    return Date.now()
  })
  await events.ended
})

test('a suspended app ends them within a second', async () => {
  const { app, key } = await newKey()
  await openAll(key)
  await timed('invalid_token', async () => {
    await moveApp(minaret.service.database, { id: app.id } as TestApp, 'suspended')
    return Date.now()
  })
})

test('a scope that is withdrawn ends them within a second', async () => {
  const { app, key } = await newKey()
  await openAll(key)
  await timed('insufficient-scope', async () => {
    const statement = `update minaret.apps set scopes = '{events:read}' where id = '${app.id}'`
    await minaret.service.database.run(rawSql(statement))
    return Date.now()
  })
})

test('a key that expires ends them within a second', async () => {
  const expiresAt = new Date(Date.now() + 30_000)
  const { key } = await newKey(expiresAt)
  await openAll(key)
  await timed('invalid_token', async () => expiresAt.getTime())
})
