// When a process stops, or its database is away for a moment.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql } from '../../src/db/sql.ts'
import { loadFixture } from '../graphql/fixture.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { startTestMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { follow } from './events.ts'
import { openSocket } from './raw-socket.ts'

const PATIENCE_MS = 15_000
const QUERY = 'subscription { up_masjids_by_slug(slug: "masjid-1") { capacity } }'

const start = async () => {
  const minaret = await startTestMinaret()
  const { database } = minaret.service
  await loadFixture(database)
  const app = await makeApp(database)
  const { key } = await makeKey(database, { appId: app.id })
  return { minaret, database, key, url: `${minaret.baseUrl}/v1/graphql` }
}

test('connections that break are opened again, and nothing that changed meanwhile is missed; a stop ends streams so that clients connect again', async () => {
  const { minaret, database, key, url } = await start()
  const events = await follow({ url, key, query: QUERY })
  const socket = await openSocket(url.replace('http', 'ws'), [
    { type: 'connection_init', payload: { Authorization: `Bearer ${key}` } },
    { id: '1', type: 'subscribe', payload: { query: QUERY } },
  ])
  await events.until(1)
  await within(PATIENCE_MS, 'a result', async () => socket.messages.length > 1)
  await database.run(
    rawSql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename like 'minaret_reader%'`),
  )
  await database.run(rawSql(`update up_masjids set capacity = 77 where slug = 'masjid-1'`))
  await events.untilSo('what changed', ({ data }) => data?.up_masjids_by_slug.capacity === 77)
  await minaret.stop()
  await events.ended
  assert.ok(!events.events.includes('complete'))
  assert.equal((await socket.closed).code, 1012)
})
