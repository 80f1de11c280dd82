// The database's password is changed while requests are served, in either order: nobody gets an error.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '../../src/base/log.ts'
import type { Connection } from '../../src/db/connection.ts'
import { withClient } from '../../src/db/with-client.ts'
import type { Service } from '../../src/service/start-service.ts'
import { urlOf } from '../support/database.ts'
import { basic, makeClient, postToken, type TestApp, within } from '../support/oauth.ts'
import { createPlainOwner, type PlainOwner } from '../support/plain-owner.ts'
import { temporaryFolder } from '../support/process.ts'
import { asTestMinaret, type OwnCluster, runCluster, serve } from './own-cluster.ts'

const PATIENCE_MS = 60_000
/** Of which a request may wait half for a connection. */
const limits = { REQUEST_DEADLINE_MS: '8000', STATEMENT_TIMEOUT_MS: '6000' }
const LONGER_MS = 5000
const folder = temporaryFolder()
const file = join(folder.path, 'database-url')

let cluster: OwnCluster
let owner: PlainOwner
let service: Service
let app: TestApp
const lines: string[] = []

const writeUrl = (connection: Connection): void => writeFileSync(file, `${urlOf(connection)}\n`)
const asAdmin = (statement: string) => withClient(owner.superuser, client => client.query(statement))
const alter = (password: string) => asAdmin(`alter role minaret_owner password '${password}'`)
const withPassword = (password: string): Connection => ({ ...owner.connection, password })

/** How many connections of our pools there are. */
const open = async (): Promise<number> => {
  const { rows } = await asAdmin(
    "select count(*)::int as open from pg_stat_activity where usename = 'minaret_owner' and application_name = 'minaret'",
  )
  return rows[0].open
}
const cut = (): Promise<unknown> =>
  asAdmin("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'minaret_owner'")

const said = (text: RegExp): number => lines.filter(line => text.test(JSON.parse(line).msg)).length

before(async () => {
  cluster = await runCluster(temporaryFolder(), { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' })
  owner = await createPlainOwner(cluster)
  writeUrl(owner.connection)
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(...String(chunk).split('\n').filter(Boolean))
      done()
    },
  })
  service = await serve('', { ...limits, DATABASE_URL_FILE: file }, createLogger('info', sink))
  app = await makeClient(service.database, { kind: 'confidential', scopes: 'masjid:read' })
})
after(async () => {
  await service?.stop()
  await cluster.remove()
  folder.remove()
})

const issue = async (): Promise<number> =>
  (await postToken(asTestMinaret(service, ''), { grant_type: 'client_credentials' }, basic(app))).status

interface Load {
  /** More at a time, so that connections are needed that are not open yet. */
  widen(): void
  /** Runs something at a moment when no request is under way. */
  between(work: () => Promise<unknown>): Promise<unknown>
  /** How many were answered, by status. */
  stop(): Promise<ReadonlyMap<number, number>>
}

const startLoad = (): Load => {
  const statuses = new Map<number, number>()
  let isOver = false
  let atOnce = 2
  let next: (() => Promise<unknown>) | undefined
  const run = async (): Promise<void> => {
    while (!isOver) {
      await next?.()
      next = undefined
      const some = await Promise.all(Array.from({ length: atOnce }, issue))
      for (const status of some) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const running = run()
  return {
    widen: () => {
      atOnce = 30
    },
    between: work =>
      new Promise((resolve, reject) => {
        next = () => work().then(resolve, reject)
      }),
    stop: async () => {
      isOver = true
      await running
      return statuses
    },
  }
}

const assertAllServed = (statuses: ReadonlyMap<number, number>): void => {
  assert.deepEqual([...statuses.keys()], [200], JSON.stringify([...statuses]))
  assert.ok((statuses.get(200) ?? 0) > 50)
}

/** The pools keep a connection at most; what more is needed has to be opened. */
const leaveOne = async (): Promise<void> => {
  await asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'minaret_owner' and application_name = 'minaret'
     and pid <> (select min(pid) from pg_stat_activity where usename = 'minaret_owner' and application_name = 'minaret')`,
  )
  await pause(50)
}

describe('without a failed request', () => {
  test('the file is replaced, then the password', async () => {
    const load = startLoad()
    await pause(200)
    writeUrl(withPassword('second'))
    await pause(200)
    await alter('second')
    load.widen()
    await load.between(leaveOne)
    await within(PATIENCE_MS, 'connections are opened with it', async () => (await open()) > 1)
    await pause(200)
    assertAllServed(await load.stop())
    assert.equal(said(/refuses the password/), 0)
  })

  test('the password is replaced, then the file: those that are open are shared meanwhile', async () => {
    const load = startLoad()
    await pause(200)
    await alter('third')
    load.widen()
    await load.between(leaveOne)
    await within(PATIENCE_MS, 'it is refused', async () => said(/refuses the password/) > 0)
    await pause(LONGER_MS)
    writeUrl(withPassword('third'))
    await within(PATIENCE_MS, 'it is taken again', async () => said(/takes the password again/) > 0)
    await within(PATIENCE_MS, 'connections are opened with it', async () => (await open()) > 1)
    assertAllServed(await load.stop())
  })

  test('without an open connection requests wait until there is one', async () => {
    await alter('fourth')
    await cut()
    await pause(100)
    const answers = Promise.all(Array.from({ length: 5 }, issue))
    await pause(500)
    writeUrl(withPassword('fourth'))
    assert.deepEqual(await answers, [200, 200, 200, 200, 200])
  })
})

test('whatever else has a connection opens it with the new one: listening, readiness', async () => {
  await alter('fifth')
  writeUrl(withPassword('fifth'))
  await cut()
  await within(PATIENCE_MS, 'it is ready', async () => (await fetch(`${service.baseUrl}/readyz`)).status === 200)
  await within(PATIENCE_MS, 'it listens', async () => {
    const { rows } = await asAdmin("select from pg_stat_activity where application_name = 'minaret listener'")
    return rows.length === 1
  })
})

test('a file that is wrong changes nothing, and a request that waits for too long is told to come back', async () => {
  await alter('sixth')
  await cut()
  for (const text of ['', 'nonsense', 'http://example.org/']) {
    writeFileSync(file, text)
    await pause(300)
  }
  const response = await postToken(asTestMinaret(service, ''), { grant_type: 'client_credentials' }, basic(app))
  assert.equal(response.status, 503)
  writeUrl(withPassword('sixth'))
  await within(PATIENCE_MS, 'it serves again', async () => (await issue()) === 200)
  assert.doesNotMatch(lines.join('\n'), /third|fourth|fifth|sixth/)
})
