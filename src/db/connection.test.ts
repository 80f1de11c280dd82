import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitHosts } from '../base/split-hosts.ts'
import { fromUrl, toPrimary, withCredentials } from './connection.ts'

test('a URL with several hosts is one URL for each, in both ways of writing them', () => {
  assert.deepEqual(splitHosts('postgres://u:p@one:5432,two:5433/db?sslmode=require'), [
    'postgres://u:p@one:5432/db?sslmode=require',
    'postgres://u:p@two:5433/db?sslmode=require',
  ])
  assert.deepEqual(
    splitHosts('postgres://u:p@localhost/db?host=/a,/b&port=1,2').map(url => new URL(url).searchParams.get('host')),
    ['/a', '/b'],
  )
  assert.deepEqual(splitHosts('postgres://u:p@one/db'), ['postgres://u:p@one/db'])
})

test('every role of the URL follows to the primary', () => {
  const owner = fromUrl('postgres://u:p@one:5432,two:5433/db')
  const reader = withCredentials(owner, { user: 'reader', password: 'secret' })
  assert.deepEqual(toPrimary(reader), { host: 'one', port: 5432, user: 'reader', password: 'secret', database: 'db' })
  if (owner.several !== undefined) owner.several.hosts.current = 1
  assert.deepEqual(toPrimary(reader), { host: 'two', port: 5433, user: 'reader', password: 'secret', database: 'db' })
})

test('a connection to several hosts can be sent to a thread', () => {
  const connection = fromUrl('postgres://owner:secret@one:5432,two:5433/db')
  connection.several?.hosts.moving?.add(() => undefined)
  const { several } = structuredClone(connection)
  assert.equal(several?.hosts.current, 0)
})
