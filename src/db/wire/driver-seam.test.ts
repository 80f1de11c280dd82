import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { checkDriver, createDriverClient, KNOWN_DRIVER, takeSocket } from './driver-seam.ts'

let database: TestDatabase
before(async () => {
  database = await createEmptyDatabase()
})
after(() => database.drop())

const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string }

test('the driver is the version that the seam was checked with', () => {
  const toDo = 'Read the three points at the top of driver-seam.ts against its source, then change KNOWN_DRIVER.'
  assert.equal(version, KNOWN_DRIVER, `pg ${version} is new here. ${toDo}`)
})

test('its socket is accessible before it connects', () => {
  assert.doesNotThrow(checkDriver)
})

/** `select '…'` as one message of the simple protocol. */
const simpleQuery = (sql: string): Buffer => {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.alloc(5)
  head.write('Q')
  head.writeInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}

test('only we read what the server sends, and the driver sends nothing but its goodbye', async () => {
  const client = createDriverClient({ ...database.connection })
  const heard: string[] = []
  client.on('error', error => heard.push(`error ${error.message}`))
  client.on('notice', notice => heard.push(`notice ${notice.message}`))
  await client.connect()
  const written: Buffer[] = []
  const stream = client.connection.stream
  const read = Promise.withResolvers<string>()
  const socket = takeSocket(client, bytes => read.resolve(bytes.toString('latin1')))
  const write = stream.write.bind(stream)
  stream.write = ((bytes: Buffer, ...rest: never[]) => {
    written.push(Buffer.from(bytes))
    return write(bytes, ...rest)
  }) as typeof stream.write
  socket.write(simpleQuery(`do $$ begin raise notice 'for us'; end $$; select 'seen'`))
  assert.match(await read.promise, /for us/)
  await client.end()
  assert.deepEqual(heard, [], 'the driver heard nothing')
  assert.equal(written.length, 2, 'our query, and the goodbye')
  assert.equal(String(written[1]?.[0]), String('X'.charCodeAt(0)))
})

test('a client with an unknown way of reading is refused', async () => {
  const client = new pg.Client({ ...database.connection })
  await client.connect()
  client.connection.stream.on('data', () => undefined)
  assert.throws(() => takeSocket(client, () => undefined), /driver-seam/)
  await client.end()
})
