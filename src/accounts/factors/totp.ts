// A shared key and a moment → six digits (RFC 6238), and back: the time step that a typed code belongs to.
import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** RFC 6238 section 5.2 recommends one step for delays; one ahead allows for a phone's clock that is fast. */
const SKEW_STEPS = 1
/** RFC 4226 section 4, requirement 6. */
const SECRET_BYTES = 20

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

const totpOf = (secret: Buffer, label = ''): TOTP =>
  new TOTP({
    issuer: 'Minaret',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromHex(secret.toString('hex')),
  })

export interface TotpKey {
  /** For the QR code. */
  readonly uri: string
  /** For typing: base32, in groups of four. */
  readonly text: string
}

export const describeTotpKey = (secret: Buffer, account: string): TotpKey => {
  const totp = totpOf(secret, account)
  return { uri: totp.toString(), text: totp.secret.base32.replaceAll(/(.{4})(?=.)/g, '$1 ') }
}

/** Undefined if the code belongs to no step near `now`. */
export const matchTotpStep = (secret: Buffer, typed: string, now: Date): number | undefined => {
  const token = typed.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret).validate({ token, timestamp: now.getTime(), window: SKEW_STEPS })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}
