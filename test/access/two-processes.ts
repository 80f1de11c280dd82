// Two instances of access on one database, as in two processes, and tokens that both accept.
import { randomUUID } from 'node:crypto'
import { after, before } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type Access, createAccess } from '../../src/access/create-access.ts'
import { createVerifyKeys } from '../../src/access/verify-keys.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { type Listener, openListener } from '../../src/db/listener.ts'
import { sql } from '../../src/db/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { TEST_SECRET } from '../support/minaret.ts'

const ISSUER = 'http://localhost:3000'
const log = createLogger('silent')

interface Process {
  readonly database: Database
  readonly listener: Listener
  readonly access: Access
  close(): Promise<void>
}

const openProcess = async (connection: Database['connection']): Promise<Process> => {
  const database = openDatabase(connection, { poolSize: 4, log })
  const listener = await openListener(connection, log)
  const verifyKeys = await createVerifyKeys(database, listener)
  const access = await createAccess({
    database,
    listener,
    log,
    clock: systemClock,
    issuer: ISSUER,
    sandboxUrl: `${ISSUER}/sandbox`,
    secret: TEST_SECRET,
    verifyKeys,
  })
  const close = async (): Promise<void> => {
    await access.close()
    await listener.close()
    await database.close()
  }
  return { database, listener, access, close }
}

interface TokenWishes {
  readonly clientId: string
  readonly userId?: string
  readonly grantId?: string
  readonly tokenId?: string
  readonly scope?: string
  readonly issuedAt?: number
}

export interface TwoProcesses {
  readonly first: Process
  readonly second: Process
  sign(wishes: TokenWishes): Promise<string>
}

const addSigningKey = async (database: Database): Promise<TwoProcesses['sign']> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = JSON.stringify(await exportJWK(publicKey))
  await database.run(sql`insert into minaret.signing_keys (kid, algorithm, state, public_jwk, private_key_sealed)
    values ('test-key', 'ES256', 'active', ${jwk}, '')`)
  return ({ clientId, userId, grantId, tokenId, scope, issuedAt }) => {
    const iat = issuedAt ?? Math.floor(Date.now() / 1000)
    return new SignJWT({
      client_id: clientId,
      scope: scope ?? 'masjid:read',
      jti: tokenId ?? randomUUID(),
      grant_id: grantId,
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'test-key' })
      .setIssuer(ISSUER)
      .setAudience(ISSUER)
      .setSubject(userId ?? clientId)
      .setIssuedAt(iat)
      .setExpirationTime(iat + 3600)
      .sign(privateKey)
  }
}

export const useTwoProcesses = (): (() => TwoProcesses) => {
  let running: (TwoProcesses & { stop(): Promise<void> }) | undefined
  before(async () => {
    const { connection, drop } = await createTestDatabase()
    const [first, second] = [await openProcess(connection), await openProcess(connection)]
    const stop = async (): Promise<void> => {
      await first.close()
      await second.close()
      await drop()
    }
    running = { first, second, sign: await addSigningKey(first.database), stop }
  })
  after(async () => running?.stop())
  return () => {
    if (running === undefined) throw new Error('The two processes are not running yet.')
    return running
  }
}
