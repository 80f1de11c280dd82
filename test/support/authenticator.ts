// An authenticator app: set up through the pages, then asked for codes.
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import type { Queryable } from '../../src/db/database.ts'
import { sql } from '../../src/db/sql.ts'
import { decodeHtml, type Person, type Shown } from './person.ts'

const STEP_MS = 30_000

export interface Authenticator {
  readonly recoveryCodes: readonly string[]
  /** The code of this moment, or of a later or earlier step. */
  code(steps?: number): string
}

export const keyOn = ({ text }: Shown): string =>
  /<pre class="code[^>]*><code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1]?.replaceAll(' ', '') ?? ''

export const codesOn = ({ text }: Shown): string[] => text.match(/\b[\da-z]{4}-[\da-z]{4}-[\da-z]{4}\b/g) ?? []

const authenticatorWith = (key: string, recoveryCodes: readonly string[] = []): Authenticator => {
  const totp = new TOTP({ secret: Secret.fromBase32(key) })
  return { recoveryCodes, code: (steps = 0) => totp.generate({ timestamp: Date.now() + steps * STEP_MS }) }
}

/** The person has just signed in. */
export const setUpAuthenticator = async (person: Person): Promise<Authenticator> => {
  const begun = await person.submit('/account/security', '/account/security/app/begin', {})
  assert.equal(begun.location, '/account/security/app')
  const key = keyOn(await person.get('/account/security/app'))
  const { code } = authenticatorWith(key)
  const confirmed = await person.submit('/account/security/app', '/account/security/app', { code: code() })
  assert.equal(confirmed.status, 200, decodeHtml(confirmed.text))
  return authenticatorWith(key, [...new Set(codesOn(confirmed))])
}

/** As if half a minute had passed: the code that was just used is not the current one any more. */
export const letCodesPass = async (database: Queryable, userId: string): Promise<void> => {
  await database.run(sql`update minaret.totp_factors set last_step = 0 where user_id = ${userId}`)
}

/** The second page of a sign-in. */
export const enterCode = (person: Person, fields: Record<string, string>): Promise<Shown> =>
  person.submit('/sign-in/second-factor', '/sign-in/second-factor', { kind: 'totp', ...fields })
