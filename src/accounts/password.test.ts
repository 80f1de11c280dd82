import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { hashPassword, isOutdated, type TypedPassword, verifyPassword } from './password.ts'

const typed = (password: string): TypedPassword => ({ password, turnOf: 'somebody' })

test('a password matches only its own hash', async () => {
  const hash = await hashPassword(typed('lantern over quiet water'))
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await verifyPassword(hash, typed('lantern over quiet water')), true)
  assert.equal(await verifyPassword(hash, typed('lantern over quiet waters')), false)
})

test('hashes of the reference implementation are accepted', async () => {
  // From the argon2 command line: echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1
  const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
  assert.equal(await verifyPassword(reference, typed('password')), true)
})

test('composed and decomposed letters are the same password', async () => {
  const hash = await hashPassword(typed('caf\u00e9 by the river'))
  assert.equal(await verifyPassword(hash, typed('cafe\u0301 by the river')), true)
})

test('a missing hash, or one of another algorithm, never matches', async () => {
  assert.equal(await verifyPassword(undefined, typed('')), false)
  assert.equal(await verifyPassword('$2b$10$abcdefghijklmnopqrstuv', typed('anything at all')), false)
})

test('two hashes of one password differ', async () => {
  assert.notEqual(await hashPassword(typed('the same words')), await hashPassword(typed('the same words')))
})

test('a hash with weaker settings is outdated', async () => {
  assert.equal(
    isOutdated('$argon2id$v=19$m=4096,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'),
    true,
  )
  assert.equal(isOutdated(await hashPassword(typed('a new password'))), false)
})

test('many concurrent password checks leave threads free to sign tokens', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let hashed = 0
  const hashes = Array.from({ length: 12 }, async () => {
    await hashPassword(typed('the same words'))
    hashed += 1
  })
  await promisify(sign)('sha256', Buffer.from('a token'), privateKey)
  assert.ok(hashed <= 2, `the token waited for ${hashed} passwords`)
  await Promise.all(hashes)
})
