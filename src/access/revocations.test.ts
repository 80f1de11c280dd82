import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createLogger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { Revocation } from './revocation.ts'
import { createRevocations } from './revocations.ts'

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** A table whose reads finish when a test says so, with the rows it had when they began. */
const begin = async () => {
  const table: Revocation[] = []
  const readings: (() => void)[] = []
  let reconnected = (): void => undefined
  let hear = (_payload: string): void => undefined
  const database = {
    query: () => {
      const held = [...table]
      return new Promise(resolve => readings.push(() => resolve(held)))
    },
    first: async () => ({ revoked: table.length > 0 }),
  }
  const listener = {
    connected: true,
    on: async (_channel: string, handler: (payload: string) => void) => {
      hear = handler
    },
    onReconnected: (handler: () => void) => {
      reconnected = handler
    },
  }
  const making = createRevocations({
    database: database as unknown as Queryable,
    listener: listener as unknown as Listener,
    log: createLogger('silent'),
  })
  const answer = async (): Promise<void> => {
    await turn()
    readings.shift()?.()
    await turn()
  }
  await answer()
  const revocations = await making
  return {
    table,
    revocations,
    answer,
    reconnect: () => reconnected(),
    hear: (revocation: Revocation) => hear(JSON.stringify(revocation)),
  }
}

const FAR = 1e12
const credential = { tokenId: 't', grantId: undefined, appId: 'a', userId: undefined, keyId: undefined, issuedAt: 50 }

test('a read of the table that began before the latest disconnect does not count as fresh', async () => {
  const { table, revocations, answer, reconnect } = await begin()
  reconnect()
  table.push({ kind: 'token', subject: 't', revokedAt: 5, expiresAt: FAR })
  reconnect()
  await answer()
  assert.equal(revocations.inTouch(), false)
  assert.equal(await revocations.isRevoked(credential), true, 'the database is asked')
  await answer()
  assert.equal(revocations.inTouch(), true)
  assert.equal(revocations.isRevoked(credential), true)
  revocations.close()
})

test('a read of the table does not undo notifications that arrived during it', async () => {
  const { table, revocations, answer, reconnect, hear } = await begin()
  table.push({ kind: 'app', subject: 'a', revokedAt: 10, expiresAt: FAR })
  reconnect()
  hear({ kind: 'app', subject: 'a', revokedAt: 100, expiresAt: FAR })
  await answer()
  assert.equal(revocations.inTouch(), true)
  assert.equal(revocations.isRevoked(credential), true)
  assert.equal(revocations.isRevoked({ ...credential, issuedAt: 150 }), false)
  revocations.close()
})

test('a clock that jumps ahead and back makes no revoked token valid again', async () => {
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1_800_000_000_000 })
  try {
    const { revocations, hear } = await begin()
    const now = Date.now() / 1000
    hear({ kind: 'token', subject: 'revoked', revokedAt: now, expiresAt: now + 3600 })
    const token = { tokenId: 'revoked', grantId: undefined, appId: undefined, userId: undefined, keyId: undefined }
    mock.timers.setTime(Date.now() + 24 * 3600 * 1000)
    mock.timers.tick(120_000)
    mock.timers.setTime(now * 1000)
    assert.equal(await revocations.isRevoked({ ...token, issuedAt: now - 10 }), true)
    revocations.close()
  } finally {
    mock.timers.reset()
  }
})

test('what this process revoked is refused before the notification arrives, and only that', async () => {
  const { revocations } = await begin()
  revocations.noteOwn('grant', 'g')
  assert.equal(revocations.isRevoked({ ...credential, grantId: 'g' }), true)
  assert.equal(revocations.isRevoked(credential), false)
  revocations.noteOwn('token', 't')
  assert.equal(revocations.isRevoked(credential), true)
  revocations.close()
})

test('one that has expired lifts the one before: what was suspended is resumed', async () => {
  const { revocations, hear } = await begin()
  hear({ kind: 'token', subject: 't', revokedAt: 5, expiresAt: FAR })
  assert.equal(await revocations.isRevoked(credential), true)
  hear({ kind: 'token', subject: 't', revokedAt: 6, expiresAt: 0 })
  assert.equal(await revocations.isRevoked(credential), false)
  revocations.close()
})
