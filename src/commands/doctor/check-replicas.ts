// The replicas of DATABASE_READ_URL: whether each follows this database, directly and closely enough.
import type pg from 'pg'
import { checkSession, replicaCheck } from '../../db/check-session.ts'
import { fromUrl } from '../../db/connection.ts'
import { StartFault } from '../../db/embedded/start-fault.ts'
import { readPosition } from '../../db/replicas/wal-position.ts'
import { withClient } from '../../db/with-client.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const PATIENCE_MS = 5000
/** A balancer that takes turns leads each of them elsewhere. */
const CONNECTIONS = 3

interface State {
  readonly system: string
  /** Of this server process. */
  readonly started: string
  readonly database: string
  readonly standby: boolean
  readonly position: string | null
  /** Since the last replayed commit; null on a primary, or if there was none. */
  readonly age: number | null
}

const readState = async (client: pg.Client): Promise<State> => {
  const { rows } = await client.query<State>(`
    select (select system_identifier::text from pg_control_system()) as system, current_database() as database,
      pg_postmaster_start_time()::text as started,
      pg_is_in_recovery() as standby,
      (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)::text as position,
      (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as age`)
  return rows[0] as State
}

const placeOf = (url: string): string => {
  const { host, pathname, searchParams } = new URL(url)
  return `${pathname.slice(1)} on ${searchParams.get('host') ?? host}`
}

/** Behind what the primary had written before the question. */
const lagOf = (primary: State, replica: State): number => {
  const isBehind = (readPosition(replica.position) ?? 0n) < (readPosition(primary.position) ?? 0n)
  return isBehind ? (replica.age ?? Number.POSITIVE_INFINITY) : 0
}

interface Comparison {
  readonly place: string
  readonly primary: State
  readonly replica: State
  readonly mostMs: number
  /** It is one of several: where roles move, the primary is among them. */
  readonly oneOfMany: boolean
}

const judge = ({ place, primary, replica, mostMs, oneOfMany }: Comparison): Finding => {
  if (replica.system !== primary.system || replica.database !== primary.database)
    return fault(
      'replica',
      `${place} is not a replica of this database, but of another one.`,
      'Set DATABASE_READ_URL to streaming replicas of the database in DATABASE_URL.',
    )
  if (!replica.standby && oneOfMany)
    return ok('replica', `${place} is the primary now, and answers reads like the others.`)
  if (!replica.standby)
    return warning(
      'replica',
      `${place} is the primary itself, or was promoted.`,
      'Take it out of DATABASE_READ_URL: it makes no reads cheaper.',
    )
  const lag = lagOf(primary, replica)
  if (lag > mostMs)
    return warning(
      'replica',
      `${place} is ${Number.isFinite(lag) ? `${(lag / 1000).toFixed(1)} seconds` : 'an unknown time'} behind, and left out until it has caught up.`,
      'Look at its log and at pg_stat_replication on the primary, or raise REPLICA_LAG_MS.',
    )
  return ok('replica', `${place} follows this database.`)
}

const several = (place: string): Finding =>
  fault(
    'replica',
    `${place} leads to several servers, so that a position that one has reached says nothing about the next answer.`,
    'Name each replica by itself in DATABASE_READ_URL, separated by commas, without a balancer.',
  )

const lookAt = async ({ client, config }: Subject, url: string): Promise<Finding> => {
  const place = placeOf(url)
  const connection = fromUrl(url)
  const settings = { connectionTimeoutMillis: PATIENCE_MS, query_timeout: PATIENCE_MS }
  try {
    await checkSession(connection, replicaCheck)
    const primary = await readState(client)
    const states = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => withClient({ ...connection, ...settings }, readState)),
    )
    if (new Set(states.map(({ started }) => started)).size > 1) return several(place)
    const replica = states[0] as State
    return judge({
      place,
      primary,
      replica,
      mostMs: config.replicaLagMs,
      oneOfMany: config.databaseReadUrls.length > 1,
    })
  } catch (error) {
    const { message } = error as Error
    if (error instanceof StartFault) return fault('replica', `${place}: ${message}`, replicaCheck.advice)
    return fault(
      'replica',
      `${place} cannot be reached: ${message}.`,
      'Check DATABASE_READ_URL and whether the replica runs; meanwhile the primary answers.',
    )
  }
}

export const checkReplicas: Check = {
  name: 'replicas',
  look: async subject => {
    const findings: Finding[] = []
    for (const url of subject.config.databaseReadUrls) findings.push(await lookAt(subject, url))
    return findings
  },
}
