// Nonces for DPoP proofs (RFC 9449 section 8): derived from the time and the installation's secret, so that every process knows them
// and none has to be stored.
import { createHmac } from 'node:crypto'
import { type Clock, epochSeconds } from '../../base/clock.ts'
import { equalBytes } from '../../base/secrets.ts'

export interface Nonces {
  /** To be used in the next proofs. */
  current(): string
  /** Of this period or the one before. */
  accepts(nonce: string): boolean
}

const PERIOD_SECONDS = 300

export const createNonces = (secret: Buffer, clock: Clock): Nonces => {
  const nonceOf = (period: number): string =>
    createHmac('sha256', secret).update(String(period)).digest('base64url').slice(0, 32)
  const period = (): number => Math.floor(epochSeconds(clock.now()) / PERIOD_SECONDS)
  return {
    current: () => nonceOf(period()),
    accepts: nonce => {
      const now = period()
      // The next one too: the clock of another process may be a little ahead.
      return [now, now - 1, now + 1].some(one => equalBytes(Buffer.from(nonceOf(one)), Buffer.from(nonce)))
    },
  }
}
