// The keys that tokens are verified with: new ones are found quickly, and made-up kids cause no load.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { VerifyKeys } from '../../src/access/access-tokens.ts'
import { createVerifyKeys } from '../../src/access/verify-keys.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type Listener, openListener } from '../../src/db/listener.ts'
import { sql } from '../../src/db/sql.ts'
import { generateKey } from '../../src/oauth/signing-keys/generate-key.ts'
import { createTestDatabase } from '../support/database.ts'
import { within } from '../support/oauth.ts'

let database: Database
let listener: Listener
let verifyKeys: VerifyKeys
let questions = 0
let drop: () => Promise<void>

before(async () => {
  const made = await createTestDatabase()
  drop = made.drop
  const log = createLogger('silent')
  database = openDatabase(made.connection, { poolSize: 2, log })
  listener = await openListener(made.connection, log)
  const counted: Database = {
    ...database,
    query: statement => {
      questions += 1
      return database.query(statement)
    },
  }
  verifyKeys = await createVerifyKeys(counted, listener)
})

after(async () => {
  await listener.close()
  await database.close()
  await drop()
})

const addKey = async (): Promise<string> => {
  const { kid, publicJwk } = await generateKey('ES256')
  await database.run(sql`insert into minaret.signing_keys (kid, algorithm, state, public_jwk, private_key_sealed)
    values (${kid}, 'ES256', 'retired', ${JSON.stringify(publicJwk)}, '')`)
  return kid
}

const foundWithinASecond = (kid: string): Promise<void> =>
  within(1000, 'the key is known', async () => (await verifyKeys(kid)) !== undefined)

test('a thousand made-up kids cause hardly any queries', async () => {
  await foundWithinASecond(await addKey())
  questions = 0
  for (let index = 0; index < 1000; index += 1) assert.equal(await verifyKeys(`made-up-${index}`), undefined)
  assert.ok(questions <= 5, `${questions} questions`)
})

test('a process that has just refused a kid as unknown finds its new key, and a removed key is gone', async () => {
  assert.equal(await verifyKeys('made-up'), undefined)
  const kid = await addKey()
  await foundWithinASecond(kid)
  await database.run(sql`delete from minaret.signing_keys where kid = ${kid}`)
  await within(1000, 'the key is gone', async () => (await verifyKeys(kid)) === undefined)
})

test('a new key is found within a second even if its notification never arrives', async () => {
  await database.run(sql`alter table minaret.signing_keys disable trigger user`)
  assert.equal(await verifyKeys('made-up'), undefined)
  await foundWithinASecond(await addKey())
  await database.run(sql`alter table minaret.signing_keys enable trigger user`)
})
