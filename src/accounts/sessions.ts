// A signed-in browser ↔ a row: the cookie has 256 random bits, the table only their digest.
import { randomToken, sha256 } from '../base/secrets.ts'
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { toUser, type User, type UserRow, userColumns } from './users.ts'
import { countedNetwork, regionOf } from './visit-origin.ts'

export interface Session {
  readonly id: string
  /** What apps know this sign-in by: the same if somebody signs in again in the same browser. */
  readonly sid: string
  /** When the password was last typed in this browser: the `auth_time` of ID tokens. */
  readonly authTime: Date
  readonly expiresAt: Date
  readonly user: User
  /** How the person signed in (RFC 8176). */
  readonly amr: readonly string[]
  readonly hasFactor: boolean
  /** The account must have a second factor, and has none yet: nothing else comes before that. */
  readonly factorDue: boolean
  /** Since the person last proved who they are, with the second factor if the account has one. */
  readonly secondsSinceProof: number
}

export interface Visit {
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** The token in the browser's device cookie. */
  readonly device?: string | undefined
  /** The Accept-Language header. */
  readonly languages?: string | undefined
}

/** Ends after this long without a visit … */
const IDLE_DAYS = 14
/** … and after this long in any case. */
const LIFE_DAYS = 90
/** A visit is written at most this often, not on every request. */
const NOTE_SECONDS = 60

export const SESSION_MAX_AGE_SECONDS = LIFE_DAYS * 24 * 60 * 60

/**
 * Always a new token, so that one known before the sign-in is useless (session fixation). `amr` says how the person signed
 * in (RFC 8176); without the second factor of an account that has one, nothing that matters can be changed.
 */
export const startSession = async (
  database: Queryable,
  userId: string,
  visit: Visit,
  amr: readonly string[] = ['pwd'],
): Promise<string> => {
  const token = randomToken(32)
  await database.run(sql`
    insert into minaret.sessions (token_hash, user_id, expires_at, address, network, region, user_agent, amr, fresh_at)
    values (${sha256(token)}, ${userId}, now() + make_interval(days => ${IDLE_DAYS}), ${visit.address ?? null},
      ${countedNetwork(visit.address) ?? null}, ${regionOf(visit.languages) ?? null},
      left(${visit.userAgent ?? null}, 500), ${amr}::text[],
      case when 'mfa' = any (${amr}::text[]) or not minaret.has_factor(${userId}) then now() end)`)
  return token
}

interface SessionRow extends UserRow {
  readonly session_id: string
  readonly sid: string
  readonly auth_time: Date
  readonly expires_at: Date
  readonly stale: boolean
  readonly amr: readonly string[]
  readonly has_factor: boolean
  readonly since_proof: number | null
}

const noteVisit = (database: Queryable, sessionId: string): Promise<number> =>
  database.run(sql`
    update minaret.sessions set last_seen_at = now(),
      expires_at = least(now() + make_interval(days => ${IDLE_DAYS}), created_at + make_interval(days => ${LIFE_DAYS}))
    where id = ${sessionId} and ended_at is null`)

/** Those who decide about others' data. */
const needsFactor = ({ is_reviewer, is_admin }: UserRow): boolean => is_reviewer || is_admin

const toSession = (row: SessionRow, factorRequired: boolean): Session => ({
  id: row.session_id,
  sid: row.sid,
  authTime: row.auth_time,
  expiresAt: row.expires_at,
  user: toUser(row),
  amr: row.amr,
  hasFactor: row.has_factor,
  factorDue: factorRequired && needsFactor(row) && !row.has_factor,
  secondsSinceProof: row.since_proof ?? Number.POSITIVE_INFINITY,
})

/** A cookie's active session and its user. Recording the visit extends the session. */
export const findSession = async (
  database: Queryable,
  token: string,
  { factorRequired }: { readonly factorRequired: boolean },
): Promise<Session | undefined> => {
  const row = await database.first<SessionRow>(sql`
    select sessions.id as session_id, coalesce(sessions.sid, sessions.id) as sid, sessions.auth_time, sessions.expires_at, ${userColumns},
      sessions.amr, minaret.has_factor(users.id) as has_factor,
      extract(epoch from now() - sessions.fresh_at)::float8 as since_proof,
      sessions.last_seen_at < now() - make_interval(secs => ${NOTE_SECONDS}) as stale
    from minaret.sessions join minaret.users on users.id = sessions.user_id
    where sessions.token_hash = ${sha256(token)} and sessions.ended_at is null and sessions.expires_at > now()
      and users.disabled_at is null`)
  if (row === undefined) return undefined
  if (row.stale) await noteVisit(database, row.session_id)
  return toSession(row, factorRequired)
}

/** Somebody has signed in again in the same browser. For apps it is the same session, and they are not told of a sign-out. */
export const continueSession = (database: Queryable, { sid, user }: Session, token: string): Promise<number> =>
  database.run(sql`
    update minaret.sessions set sid = ${sid} where token_hash = ${sha256(token)} and user_id = ${user.id}`)

/** Only one's own. False if there was no such active session. */
export const endSession = async (database: Queryable, userId: string, sessionId: string): Promise<boolean> => {
  const ended = await database.run(sql`
    update minaret.sessions set ended_at = now()
    where id = ${sessionId} and user_id = ${userId} and ended_at is null`)
  return ended > 0
}

/** All of a user's sessions except one; without `exceptId`, all of them. */
export const endSessions = (database: Queryable, userId: string, exceptId?: string): Promise<number> =>
  database.run(sql`
    update minaret.sessions set ended_at = now()
    where user_id = ${userId} and ended_at is null and id is distinct from ${exceptId ?? null}::uuid`)

export interface SessionLine {
  readonly id: string
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly address: string | undefined
  readonly userAgent: string | undefined
}

export const listSessions = async (database: Queryable, userId: string): Promise<SessionLine[]> => {
  const rows = await database.query<{
    id: string
    created_at: Date
    last_seen_at: Date
    address: string | null
    user_agent: string | null
  }>(sql`
    select id, created_at, last_seen_at, address, user_agent from minaret.sessions
    where user_id = ${userId} and ended_at is null and expires_at > now() order by last_seen_at desc limit 200`)
  return rows.map(row => ({
    id: row.id,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    address: row.address ?? undefined,
    userAgent: row.user_agent ?? undefined,
  }))
}
