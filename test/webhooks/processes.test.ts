// Several processes share the work, and one that is killed in the middle of it loses nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLogger } from '../../src/base/log.ts'
import { fromUrl } from '../../src/db/connection.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { insertEvent } from '../support/events.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startedTemplate, TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { type RunningProcess, startMinaretProcess } from '../support/process.ts'
import { openReceiver, type Received, type Receiver } from './receiver.ts'
import { makeEndpoint } from './use-webhooks.ts'

const PATIENCE_MS = 60_000
/** Events at each of two masjids, and the messages about them to three endpoints. */
const EACH = 30
const ALL = EACH * 2 * 3

let stored: TestDatabase
let database: Database
let receiver: Receiver
before(async () => {
  stored = await createDatabase(await startedTemplate())
  database = openDatabase(fromUrl(stored.url), { poolSize: 4, log: createLogger('silent') })
  receiver = await openReceiver()
})
after(async () => {
  await receiver.close()
  await database.close()
  await stored.drop()
})

const start = (): Promise<RunningProcess> =>
  startMinaretProcess({ DATABASE_URL: stored.url, MINARET_SECRET: TEST_SECRET, DEMO_DATA: 'off' })

const answerSlowly = (path: string): void =>
  void receiver.answers.set(path, response => void setTimeout(() => response.writeHead(204).end(), 20))

/** The keys told at a masjid, each when it first came. */
const keysAt = (received: readonly Received[], masjid: string): (string | undefined)[] => [
  ...new Set(received.filter(({ event }) => event.data.masjid_id === masjid).map(({ event }) => event.data.key?.id)),
]

test('two processes send each message once; killed in the middle, another one sends the rest, and the order is kept', async () => {
  const paths = ['/one', '/two', '/three']
  for (const path of paths) answerSlowly(path)
  for (const path of paths) await makeEndpoint(database, { url: `${receiver.url}${path}` })
  const masjids = [await insertMasjid(database), await insertMasjid(database)]
  const running = [await start(), await start()]
  const events = new Map(masjids.map(masjid => [masjid, [] as string[]]))
  for (let count = 0; count < EACH; count += 1)
    for (const [masjid, keys] of events) keys.push(await insertEvent(database, masjid))
  await within(PATIENCE_MS, 'the first messages', async () => receiver.received.length > 20)
  const beforeKill = [...receiver.received]
  for (const path of paths) {
    const ids = beforeKill.filter(one => one.path === path).map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length, 'no message twice while all is well')
  }
  for (const process of running) await process.stop('SIGKILL')
  assert.ok(receiver.received.length < ALL, 'killed before the end')
  // Their leases would last: that they are gone is seen all the same.
  await database.run(sql`update minaret.webhook_endpoints set leased_until = 'infinity' where lease is not null`)
  const last = await start()
  try {
    for (const path of paths)
      await within(PATIENCE_MS, `everything at ${path}`, async () =>
        masjids.every(masjid => keysAt(receiver.at(path), masjid).length === EACH),
      )
    for (const path of paths)
      for (const masjid of masjids) assert.deepEqual(keysAt(receiver.at(path), masjid), events.get(masjid))
    // Of each endpoint, at most what was in progress is sent twice: a message for each masjid. A copied database has a history of its
    // own, so that a gap may have been told too: messages are compared by their ids.
    const repeated = receiver.received.length - new Set(receiver.received.map(({ id }) => id)).size
    assert.ok(repeated <= paths.length * masjids.length, String(repeated))
  } finally {
    await last.stop()
  }
})
