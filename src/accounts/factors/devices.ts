// Browsers that somebody has signed in with. A remembered one is not asked for the second factor, for 30 days.
import { providerOf } from '../../base/ip-address.ts'
import { randomToken, sha256 } from '../../base/secrets.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { Visit } from '../sessions.ts'
import { isSameBrowser } from './new-device.ts'

const REMEMBERED_DAYS = 30

/**
 * Always with a new token: one that was planted in the browser before is useless. Other people who use this browser keep
 * their place in it. @returns the token for its cookie
 */
export const rememberDevice = async (transaction: Queryable, userId: string, visit: Visit): Promise<string> => {
  const token = randomToken(32)
  if (visit.device !== undefined)
    await transaction.run(sql`
      update minaret.devices set token_hash = ${sha256(token)} where token_hash = ${sha256(visit.device)}`)
  await transaction.run(sql`
    insert into minaret.devices (token_hash, user_id, user_agent, address, remembered_until)
    values (${sha256(token)}, ${userId}, left(${visit.userAgent ?? null}, 500), ${visit.address ?? null},
      now() + make_interval(days => ${REMEMBERED_DAYS}))
    on conflict (token_hash, user_id) do update set remembered_until = excluded.remembered_until, last_seen_at = now(),
      user_agent = excluded.user_agent, address = excluded.address`)
  return token
}

/** Elsewhere it is asked again: it may have been stolen, or its cookie. Notes the visit, too. */
export const isRememberedDevice = async (transaction: Queryable, userId: string, visit: Visit): Promise<boolean> => {
  if (visit.device === undefined) return false
  const found = await transaction.first<{ id: string; user_agent: string | null; address: string | null }>(sql`
    select id, user_agent, address from minaret.devices
    where token_hash = ${sha256(visit.device)} and user_id = ${userId} and remembered_until > now() for no key update`)
  if (found === undefined || !isSameBrowser(found.user_agent, visit)) return false
  if (providerOf(found.address ?? undefined) !== providerOf(visit.address)) return false
  await transaction.run(sql`
    update minaret.devices set last_seen_at = now(), address = ${visit.address ?? null} where id = ${found.id}`)
  return true
}

export interface DeviceLine {
  readonly id: string
  readonly userAgent: string | undefined
  readonly address: string | undefined
  readonly lastSeenAt: Date
  readonly rememberedUntil: Date
}

export const listRememberedDevices = async (database: Queryable, userId: string): Promise<DeviceLine[]> => {
  const rows = await database.query<{
    id: string
    user_agent: string | null
    address: string | null
    last_seen_at: Date
    remembered_until: Date
  }>(sql`
    select id, user_agent, address, last_seen_at, remembered_until from minaret.devices
    where user_id = ${userId} and remembered_until > now() order by last_seen_at desc limit 100`)
  return rows.map(row => ({
    id: row.id,
    userAgent: row.user_agent ?? undefined,
    address: row.address ?? undefined,
    lastSeenAt: row.last_seen_at,
    rememberedUntil: row.remembered_until,
  }))
}

/** Only one's own. False if it was not remembered. */
export const forgetDevice = async (database: Queryable, userId: string, deviceId: string): Promise<boolean> => {
  const forgotten = await database.run(sql`
    update minaret.devices set remembered_until = null
    where id = ${deviceId} and user_id = ${userId} and remembered_until is not null`)
  return forgotten > 0
}

export const forgetDevices = (database: Queryable, userId: string): Promise<number> =>
  database.run(sql`
    update minaret.devices set remembered_until = null where user_id = ${userId} and remembered_until is not null`)
