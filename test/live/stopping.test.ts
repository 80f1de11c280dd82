// When a process stops, or its database is away for a moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { createChangeWatch } from '../../src/db/changes/watch-changes.ts'
import { readerConnection } from '../../src/db/roles.ts'
import { rawSql } from '../../src/db/sql.ts'
import { pruneLog, withoutPartitions } from '../answers/prune-log.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret, TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { follow } from './events.ts'
import { openSocket, protocols } from './raw-socket.ts'

const PATIENCE_MS = 60_000
const QUERY = 'subscription { up_masjids_by_slug(slug: "masjid-1") { capacity } }'

const start = async () => {
  const minaret = await startTestMinaret()
  const { database } = minaret.service
  await loadFixture(database)
  const app = await makeApp(database)
  const { key } = await makeKey(database, { appId: app.id })
  return { minaret, database, key, url: `${minaret.baseUrl}/v1/graphql` }
}

test('a watch that slept while the log lost its rows says that it may have missed something', async t => {
  const { minaret, database } = await start()
  await database.run(rawSql(withoutPartitions))
  t.mock.timers.enable({ apis: ['setInterval'] })
  const connection = await readerConnection(database.connection, 'minaret_reader', TEST_SECRET)
  const watch = createChangeWatch({ connection, log: createLogger('silent'), everyMs: 100 })
  let told: string[] = []
  const tell = (what: string) => () => void told.push(what)
  await watch.start({ onChanges: tell('changes'), onStructure: tell('structure'), onGap: tell('gap') })
  const write = () => database.run(rawSql(`update up_masjids set capacity = coalesce(capacity, 0) + 1`))
  /** Ticks until one of them is told. */
  const untilTold = (...what: readonly string[]): Promise<void> =>
    within(PATIENCE_MS, `${what.join(' or ')} is told`, async () => {
      t.mock.timers.tick(100)
      return told.some(one => what.includes(one))
    })
  /** A connection that did not answer for seconds, on a busy machine, is opened again and tells of a gap: then it takes another write. */
  const tellsOfWrites = (): Promise<void> =>
    within(PATIENCE_MS, 'a write is told', async () => {
      told = []
      await write()
      await untilTold('changes', 'gap')
      return told.includes('changes')
    })
  await tellsOfWrites()
  // Until the next tick it is asleep.
  await write()
  await within(PATIENCE_MS, 'the log is pruned', async () => {
    await database.run(rawSql(pruneLog))
    const rows = await database.query(rawSql(`select from changes.log where table_name = 'public.up_masjids'`))
    return rows.length === 0
  })
  told = []
  await untilTold('gap')
  assert.equal(told[0], 'gap')
  await tellsOfWrites()
  t.mock.timers.reset()
  await watch.close()
  await minaret.stop()
})

test('connections that break are opened again, and nothing that changed meanwhile is missed; a stop ends streams so that clients connect again', async () => {
  const { minaret, database, key, url } = await start()
  const events = await follow({ url, key, query: QUERY })
  const messages = [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
    { id: '1', type: 'subscribe', payload: { query: QUERY } },
  ]
  const sockets = await Promise.all(
    protocols.map(protocol => openSocket(url.replace('http', 'ws'), messages, { protocol })),
  )
  await events.until(1)
  await within(PATIENCE_MS, 'results', async () => sockets.every(socket => socket.messages.length > 1))
  await database.run(
    rawSql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename like 'minaret_reader%'`),
  )
  await database.run(rawSql(`update up_masjids set capacity = 77 where slug = 'masjid-1'`))
  await events.untilSo('what changed', ({ data }) => data?.up_masjids_by_slug.capacity === 77)
  await minaret.stop()
  await events.ended
  assert.ok(!events.events.includes('complete'))
  for (const { closed } of sockets) assert.equal((await closed).code, 1012)
})
