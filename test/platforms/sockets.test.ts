import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHome, isPrivate } from '../../src/db/embedded/home.ts'
import { SOCKET_NUMBER } from '../../src/db/embedded/postmaster.ts'

/** Bytes of `sun_path`, the last of which is a zero. */
const addresses = { Linux: 108, macOS: 104 }

for (const [system, bytes] of Object.entries(addresses))
  test(`on ${system}, PostgreSQL’s socket fits its address, however long the data folder’s path`, () => {
    for (let length = 1; length < 200; length++) {
      const { sockets } = findHome(`/${'ب'.repeat(length)}`)
      assert.ok(Buffer.byteLength(`${sockets}/.s.PGSQL.${SOCKET_NUMBER}`) < bytes, sockets)
    }
  })

test('a disk that ignores permissions, as Windows’ in WSL do, is noticed', () => {
  assert.ok(isPrivate(0o40700))
  assert.ok(!isPrivate(0o40777))
})
