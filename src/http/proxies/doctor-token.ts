// The installation's secret and the time → what `minaret doctor` shows to the running service, so that nobody else is told what it sees.
import { createHmac } from 'node:crypto'
import { deriveSecret, equalBytes, type Secrets } from '../../base/secrets.ts'

/** Without a credential of ours in it: an address where only discovery and this are. */
export const SIGHTING_PATH = '/.well-known/minaret-sighting'
export const DOCTOR_HEADER = 'x-minaret-doctor'

/** More than clocks may differ. Whoever repeats it meanwhile is told which address they have themselves. */
const VALID_S = 120

const signatureOf = (seconds: number, secret: string): Buffer =>
  createHmac('sha256', deriveSecret(secret, 'doctor')).update(String(seconds)).digest()

const secondsOf = (now: Date): number => Math.floor(now.getTime() / 1000)

export const doctorToken = (secret: string, now: Date): string => {
  const seconds = secondsOf(now)
  return `${seconds}.${signatureOf(seconds, secret).toString('base64url')}`
}

export const isDoctorToken = (text: unknown, secrets: Secrets, now: Date): boolean => {
  const [, digits = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(String(text)) ?? []
  if (digits === '' || Math.abs(secondsOf(now) - Number(digits)) > VALID_S) return false
  const given = Buffer.from(signature, 'base64url')
  return secrets.some(secret => equalBytes(given, signatureOf(Number(digits), secret)))
}
