// The hosts of apps that describe themselves: what they are, and what reviewers decide about them.
import { isScope, type Scope } from '../access/scopes.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { explainDatabaseFault, registrationRefused, stateRefused } from './faults.ts'

export const hostStates = ['new', 'approved', 'limited', 'blocked'] as const
type HostState = (typeof hostStates)[number]

export interface AppHost {
  readonly host: string
  readonly state: HostState
  readonly scopes: readonly string[]
  readonly words: string | null
  readonly createdAt: Date
  /** What its apps call themselves. */
  readonly names: readonly string[]
  readonly apps: number
  /** How many people have allowed one of them. */
  readonly people: number
}

/** Those that nobody has decided about come first, then the newest. */
export const listHosts = (database: Queryable): Promise<AppHost[]> =>
  database.query<AppHost>(sql`
    select host, state, scopes, words, created_at as "createdAt",
      array(select distinct name from minaret.apps where apps.host = app_hosts.host and deleted_at is null order by 1 limit 5) as names,
      (select count(*)::int from minaret.apps where apps.host = app_hosts.host and deleted_at is null) as apps,
      (select count(distinct user_id)::int from minaret.consents join minaret.apps on apps.id = consents.app_id
        where apps.host = app_hosts.host and consents.withdrawn_at is null) as people
    from minaret.app_hosts order by state <> 'new', created_at desc limit 500`)

export interface DescribedApp {
  readonly name: string
  readonly clientId: string
  readonly host: string
  readonly hostState: HostState
  /** How many people allow it. */
  readonly people: number
  readonly createdAt: Date
  /** When its document was read last. */
  readonly seenAt: Date
}

/** The one that was read last first. */
export const listDescribedApps = (database: Queryable): Promise<DescribedApp[]> =>
  database.query<DescribedApp>(sql`
    select apps.name, apps.client_id as "clientId", apps.host, app_hosts.state as "hostState",
      (select count(distinct user_id)::int from minaret.consents
        where consents.app_id = apps.id and consents.withdrawn_at is null) as people,
      apps.created_at as "createdAt", apps.updated_at as "seenAt"
    from minaret.apps join minaret.app_hosts on app_hosts.host = apps.host
    where apps.deleted_at is null order by apps.updated_at desc limit 200`)

interface HostDecision {
  readonly host: string
  readonly state: Exclude<HostState, 'new'>
  /** Of an approved host. */
  readonly scopes: readonly string[]
  readonly words: string
  readonly actor: Actor
}

const scopesOf = ({ state, scopes }: HostDecision): readonly Scope[] => {
  const chosen = state === 'approved' ? scopes.filter(isScope) : []
  if (state === 'approved' && chosen.length === 0) throw registrationRefused('An approved host has at least one scope.')
  return chosen
}

/** The apps of the host follow in the same transaction: their scopes, and whether they work at all. */
export const decideHost = (database: Database, decision: HostDecision): Promise<void> =>
  database
    .transaction(async transaction => {
      const { host, state, words, actor } = decision
      const scopes = scopesOf(decision)
      const changed = await transaction.run(sql`
      update minaret.app_hosts set state = ${state}, scopes = ${scopes}, words = ${words === '' ? null : words},
        decided_by = ${actor.userId ?? null}, decided_at = clock_timestamp()
      where host = ${host}`)
      if (changed === 0) throw stateRefused('There is no such host.')
      await recordAudit(transaction, { action: `host.${state}`, actor, detail: { host, scopes } })
    })
    .catch(explainDatabaseFault)
