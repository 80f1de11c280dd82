// A credential → whether it is revoked: from memory, kept up to date by NOTIFY; from the database while notifications may be missed.
import type { Logger } from '../base/log.ts'
import type { Queryable } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { sql } from '../db/sql.ts'
import { parseRevocation, type Revocation, type RevocationKind } from './revocation.ts'

/** What a credential depends on: revoking any of these revokes it. */
export interface Credential {
  readonly tokenId: string | undefined
  readonly grantId: string | undefined
  readonly appId: string | undefined
  readonly userId: string | undefined
  readonly keyId: string | undefined
  /** Seconds since 1970. Credentials issued to an app or a user after the revocation are valid. */
  readonly issuedAt: number
}

export interface Revocations {
  /** Synchronous from memory, or a promise if the database must be asked. */
  isRevoked(credential: Credential): boolean | Promise<boolean>
  /** False while notifications may be missed. */
  inTouch(): boolean
  /** What this process itself has just revoked is refused here from now on, before the notification arrives. */
  noteOwn(kind: 'token' | 'grant', subject: string): void
  onRevocation(handler: (revocation: Revocation) => void): void
  /** Called when caches must be rebuilt, because notifications may have been missed. */
  onReset(handler: () => void): void
  close(): void
}

export interface RevocationsInput {
  readonly database: Queryable
  readonly listener: Listener
  readonly log: Logger
}

interface Memory {
  readonly entries: Map<string, Revocation & { readonly forgetAt: number }>
  loaded: boolean
}

const RETRY_MS = 250
/** How long the table keeps a revocation, too: longer than any access token is valid. */
const KEPT_SECONDS = 2 * 3600
const SWEEP_MS = 60_000

const subjectsOf = (credential: Credential): (readonly [RevocationKind, string])[] => {
  const { tokenId, grantId, appId, userId, keyId } = credential
  const all = [
    ['token', tokenId],
    ['grant', grantId],
    ['app', appId],
    ['user', userId],
    ['key', keyId],
  ] as const
  return all.filter((pair): pair is readonly [RevocationKind, string] => pair[1] !== undefined)
}

/** Tokens have a resolution of one second: one issued in the same second as the revocation counts as older. */
const isEnded = ({ entries }: Memory, kind: RevocationKind, subject: string | undefined, issuedAt: number): boolean => {
  const found = subject === undefined ? undefined : entries.get(`${kind}:${subject}`)
  if (found === undefined) return false
  return (kind !== 'app' && kind !== 'user') || issuedAt <= Math.floor(found.revokedAt)
}

/** Runs for every request, so it allocates nothing. */
const fromMemory = (memory: Memory, credential: Credential): boolean => {
  if (memory.entries.size === 0) return false
  const { tokenId, grantId, appId, userId, keyId, issuedAt } = credential
  return (
    isEnded(memory, 'token', tokenId, issuedAt) ||
    isEnded(memory, 'grant', grantId, issuedAt) ||
    isEnded(memory, 'app', appId, issuedAt) ||
    isEnded(memory, 'user', userId, issuedAt) ||
    isEnded(memory, 'key', keyId, issuedAt)
  )
}

const fromDatabase = async (database: Queryable, credential: Credential): Promise<boolean> => {
  const subjects = subjectsOf(credential)
  const row = await database.first<{ revoked: boolean }>(sql`
    select exists (
      select from minaret.revocations r
      join unnest(${subjects.map(([kind]) => kind)}::text[], ${subjects.map(([, subject]) => subject)}::text[]) as s (kind, subject)
        on r.kind = s.kind and r.subject = s.subject
      where r.kind not in ('app', 'user') or to_timestamp(${credential.issuedAt}) <= date_trunc('second', r.revoked_at)
    ) as revoked`)
  return row?.revoked !== false
}

const readTable = (database: Queryable): Promise<Revocation[]> =>
  database.query<Revocation>(sql`
    select kind, subject, extract(epoch from revoked_at)::float8 as "revokedAt",
      extract(epoch from expires_at)::float8 as "expiresAt"
    from minaret.revocations where expires_at > now()`)

/** A row of the table may be older than a notification that arrived during the read: the later one wins. */
const note = ({ entries }: Memory, revocation: Revocation): void => {
  const key = `${revocation.kind}:${revocation.subject}`
  const known = entries.get(key)
  if (known !== undefined && known.revokedAt > revocation.revokedAt) return
  // One that has expired lifts the one before: what was suspended is resumed.
  if (revocation.expiresAt <= revocation.revokedAt) return void entries.delete(key)
  const lifetimeMs = (revocation.expiresAt - revocation.revokedAt) * 1000
  entries.set(key, { ...revocation, forgetAt: performance.now() + lifetimeMs })
}

/**
 * By a clock that is never set: if the system's jumped ahead and back, tokens would be valid again, and their revocations
 * forgotten.
 */
const sweep = ({ entries }: Memory): void => {
  const now = performance.now()
  for (const [key, { forgetAt }] of entries) if (forgetAt < now) entries.delete(key)
}

export const createRevocations = async ({ database, listener, log }: RevocationsInput): Promise<Revocations> => {
  const memory: Memory = { entries: new Map(), loaded: false }
  const revocationHandlers: ((revocation: Revocation) => void)[] = []
  const resetHandlers: (() => void)[] = []
  let closed = false
  let attempt = 0

  const inTouch = (): boolean => memory.loaded && listener.connected
  /** A read that began before the latest one may be stale, so it does not count. */
  const load = async (): Promise<void> => {
    const mine = attempt
    for (const revocation of await readTable(database)) note(memory, revocation)
    if (mine === attempt) memory.loaded = true
  }
  /** Until the table has been read again, `inTouch` is false and each request asks the database. */
  const reload = (): void => {
    memory.loaded = false
    attempt += 1
    const mine = attempt
    for (const handler of resetHandlers) handler()
    load().catch(error => {
      log.warn({ err: error }, 'the revocations could not be read; retrying')
      setTimeout(() => !closed && mine === attempt && reload(), RETRY_MS).unref()
    })
  }

  listener.onReconnected(reload)
  // Listens before reading the table, so that a row written in between arrives twice rather than never.
  await listener.on('minaret_revocations', payload => {
    const revocation = parseRevocation(payload)
    if (revocation === undefined) return reload()
    note(memory, revocation)
    for (const handler of revocationHandlers) handler(revocation)
  })
  await load()
  const sweeper = setInterval(() => sweep(memory), SWEEP_MS).unref()

  return {
    isRevoked: credential => (inTouch() ? fromMemory(memory, credential) : fromDatabase(database, credential)),
    inTouch,
    noteOwn: (kind, subject) => note(memory, { kind, subject, revokedAt: 0, expiresAt: KEPT_SECONDS }),
    onRevocation: handler => void revocationHandlers.push(handler),
    onReset: handler => void resetHandlers.push(handler),
    close: () => {
      closed = true
      clearInterval(sweeper)
    },
  }
}
