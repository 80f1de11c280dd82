// How long the tokens of an app live: within bounds that the database holds too.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database } from '../db/database.ts'
import { identifier, joinSql, sql } from '../db/sql.ts'
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

export const lifetimeNames = Object.keys(lifetimeBounds) as readonly (keyof Lifetimes)[]

/** `refreshIdleSeconds` → `refresh_idle_seconds` */
export const lifetimeColumn = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** @throws {Fault} `registration_refused` */
const checkLifetimes = (lifetimes: Lifetimes): Lifetimes => {
  for (const name of lifetimeNames) {
    const [least, most] = lifetimeBounds[name]
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
    const lifetimes = checkLifetimes(chosen)
    const columns = lifetimeNames.map(name => [lifetimeColumn(name), lifetimes[name]] as const)
    const set = joinSql(columns.map(([column, seconds]) => sql`${identifier(column)} = ${seconds}`))
    const changed = await transaction.run(sql`
      update minaret.apps set ${set} where id = ${appId} and deleted_at is null`)
    if (changed === 0) throw stateRefused('The app was deleted.')
    const detail = Object.fromEntries(columns.map(([column, seconds]) => [column.replace('_seconds', ''), seconds]))
    await recordAudit(transaction, { action: 'app.lifetimes_changed', actor, appId, detail })
  })
