// The service and its database are killed in the middle of writes. Clients repeat what got no answer, with the same
// Idempotency-Key: in the end each write has happened exactly once.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createLogger } from '../../../src/base/log.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { findCluster } from '../../../src/db/embedded/cluster.ts'
import { findHome } from '../../../src/db/embedded/home.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { type RunningProcess, startMinaretProcess } from '../../support/process.ts'
import { rounds } from '../../support/rounds.ts'
import { temporaryUsedFolder } from '../../support/used-folder.ts'
import { loadFixture } from '../fixture.ts'
import { createLibrary } from './library.ts'
import { HERE } from './use-writing.ts'

const ROUNDS = rounds(3, 30)
const CLIENTS = 6
const WITHIN_MS = 300_000

const MUTATION = `mutation ($title: String!) {
  insert_up_lib_books_one(object: {masjid_id: "${HERE}", title: $title}) { id title }
  update_up_lib_authors(where: {name: {_eq: "The counter"}}, _inc: {balance: 1}) { affected_rows } }`

type Victim = 'service' | 'database' | 'backends'
const victims: readonly Victim[] = ['service', 'database', 'backends']

const prepare = async (folder: string): Promise<string> => {
  const connection = findCluster(findHome(folder))
  assert.ok(connection, 'the database is running')
  const database = openDatabase(connection, { poolSize: 2, log: createLogger('silent') })
  try {
    await loadFixture(database)
    await createLibrary(database)
    const scopes = ['masjid:read', 'events:read', 'events:write'] as const
    const app = await makeApp(database, { scopes, masjids: { only: '*', own: [HERE] } })
    return (await makeKey(database, { appId: app.id, scopes })).key
  } finally {
    await database.close()
  }
}

const inDatabase = async <T>(folder: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(findCluster(findHome(folder)))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface Stream {
  /** Titles whose write was acknowledged, with the id that was returned. */
  readonly acknowledged: Map<string, string>
  /** How often a request had to be repeated. */
  repeated: number
  stopped: boolean
}

/** Where the service is now; it has another port after each start. */
interface Place {
  baseUrl: string
}

const send = async ({ baseUrl }: Place, key: string, title: string): Promise<string | undefined> => {
  const response = await fetch(`${baseUrl}/v1/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `key of ${title}`,
    },
    body: JSON.stringify({ query: MUTATION, variables: { title } }),
    signal: AbortSignal.timeout(60_000),
  })
  const body = (await response.json()) as {
    data?: { insert_up_lib_books_one: { id: string } }
    errors?: { extensions: { code: string } }[]
  }
  if (body.errors === undefined) return body.data?.insert_up_lib_books_one.id
  // What may be repeated says so by its status: not available, or another request with this key still running.
  const status = `${response.status} ${JSON.stringify(body.errors)}`
  assert.ok([409, 503].includes(response.status), status)
  return undefined
}

/** One title after the other; each is repeated until it is acknowledged. */
const writeOn = async (place: Place, key: string, name: string, stream: Stream): Promise<void> => {
  for (let number = 1; !stream.stopped; number += 1) {
    const title = `${name}.${number}`
    const deadline = Date.now() + WITHIN_MS
    for (;;) {
      const id = await send(place, key, title).catch(error => {
        if (error instanceof assert.AssertionError) throw error
        return undefined
      })
      if (id !== undefined) {
        stream.acknowledged.set(title, id)
        break
      }
      stream.repeated += 1
      assert.ok(Date.now() < deadline, `${title} was not acknowledged within ${WITHIN_MS} ms`)
      await delay(50)
    }
  }
}

const postmasterOf = (folder: string): number =>
  Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])

/** The connections of the role that writes, each in whatever it was doing. */
const killBackends = (folder: string): Promise<unknown> =>
  inDatabase(folder, client =>
    client.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename like 'minaret_writer%'`),
  )

const kill = async (victim: Victim, folder: string, running: RunningProcess): Promise<boolean> => {
  if (victim === 'backends') {
    await killBackends(folder)
    return true
  }
  if (victim === 'database') process.kill(postmasterOf(folder), 'SIGKILL')
  await running.stop('SIGKILL')
  return false
}

test('killed during writes, with or without its database, each write happens exactly once', async () => {
  const folder = await temporaryUsedFolder()
  const environment = { DATA_DIR: folder.path, DEMO_DATA: 'off' }
  let running = await startMinaretProcess(environment)
  try {
    const key = await prepare(folder.path)
    await inDatabase(folder.path, client =>
      client.query(`insert into up_lib_authors (masjid_id, name) values ('${HERE}', 'The counter')`),
    )
    // So that it knows the library.
    await running.stop()
    running = await startMinaretProcess(environment)
    const place: Place = { baseUrl: running.baseUrl }
    const stream: Stream = { acknowledged: new Map(), repeated: 0, stopped: false }
    const writing = Promise.all(
      Array.from({ length: CLIENTS }, (_, number) => writeOn(place, key, `client ${number}`, stream)),
    )
    writing.catch(() => undefined)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = stream.acknowledged.size
      const deadline = Date.now() + WITHIN_MS
      while (stream.acknowledged.size < before + 20 + round) {
        assert.ok(Date.now() < deadline, `nothing was written in round ${round}: ${running.output().slice(-500)}`)
        await Promise.race([delay(5), writing])
      }
      if (await kill(victims[round % victims.length] as Victim, folder.path, running)) continue
      running = await startMinaretProcess(environment)
      place.baseUrl = running.baseUrl
    }
    await delay(100)
    stream.stopped = true
    await writing
    const { rows } = await inDatabase(folder.path, client =>
      client.query<{ title: string; id: string }>('select title, id from up_lib_books'),
    )
    assert.deepEqual(
      rows.map(({ title, id }) => `${title} ${id}`).sort(),
      [...stream.acknowledged].map(([title, id]) => `${title} ${id}`).sort(),
    )
    const counted = await inDatabase(folder.path, client =>
      client.query(`select balance::int from up_lib_authors where name = 'The counter'`),
    )
    assert.equal(counted.rows[0].balance, rows.length, 'both fields of a mutation, or neither')
    const audited = await inDatabase(folder.path, client =>
      client.query(`select count(*)::int as count from written_rows where table_name = 'up_lib_books'`),
    )
    assert.equal(audited.rows[0].count, rows.length, 'one line of the audit trail for each row')
    assert.ok(stream.repeated > 0, 'writes were in progress')
  } finally {
    await running.stop('SIGTERM')
    folder.remove()
  }
})
