// How long the tokens of an app live: within bounds that the database holds too.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { registrationRefused, stateRefused } from './faults.ts'

/** In seconds. */
export interface Lifetimes {
  readonly accessSeconds: number
  readonly refreshIdleSeconds: number
  readonly refreshTotalSeconds: number
}

const HOUR = 3600
const DAY = 24 * HOUR

/** The longest are the defaults: an app can only choose less. */
export const lifetimeBounds: Readonly<Record<keyof Lifetimes, readonly [least: number, most: number]>> = {
  accessSeconds: [300, HOUR],
  refreshIdleSeconds: [HOUR, 30 * DAY],
  refreshTotalSeconds: [DAY, 180 * DAY],
}

const names: Readonly<Record<keyof Lifetimes, string>> = {
  accessSeconds: 'Access tokens',
  refreshIdleSeconds: 'Refresh tokens without use',
  refreshTotalSeconds: 'Refresh tokens in all',
}

/** @throws {Fault} `registration_refused` */
const checkLifetimes = (lifetimes: Lifetimes): Lifetimes => {
  for (const [name, [least, most]] of Object.entries(lifetimeBounds) as [
    keyof Lifetimes,
    readonly [number, number],
  ][]) {
    const seconds = lifetimes[name]
    if (!Number.isInteger(seconds) || seconds < least || seconds > most)
      throw registrationRefused(`${names[name]} live for ${least} to ${most} seconds.`)
  }
  const { accessSeconds, refreshIdleSeconds, refreshTotalSeconds } = lifetimes
  if (accessSeconds > refreshIdleSeconds || refreshIdleSeconds > refreshTotalSeconds)
    throw registrationRefused(
      'A refresh token lives at least as long as an access token, and in all at least as long as without use.',
    )
  return lifetimes
}

interface SetLifetimesInput extends Lifetimes {
  readonly appId: string
  readonly actor: Actor
}

/** In force for tokens that are issued from now on. */
export const setLifetimes = (database: Database, { appId, actor, ...chosen }: SetLifetimesInput): Promise<void> =>
  database.transaction(async transaction => {
    const { accessSeconds, refreshIdleSeconds, refreshTotalSeconds } = checkLifetimes(chosen)
    const changed = await transaction.run(sql`
      update minaret.apps set access_seconds = ${accessSeconds}, refresh_idle_seconds = ${refreshIdleSeconds},
        refresh_total_seconds = ${refreshTotalSeconds}
      where id = ${appId} and deleted_at is null`)
    if (changed === 0) throw stateRefused('The app was deleted.')
    const detail = { access: accessSeconds, refresh_idle: refreshIdleSeconds, refresh_total: refreshTotalSeconds }
    await recordAudit(transaction, { action: 'app.lifetimes_changed', actor, appId, detail })
  })
