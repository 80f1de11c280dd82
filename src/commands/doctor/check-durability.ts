// What PostgreSQL promises of a commit: that it survives a crash, and, where there are standbys, a failover.
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check } from './subject.ts'

interface Promised {
  readonly fsync: string
  readonly commits: string
  /** `synchronous_standby_names` */
  readonly names: string
  readonly standbys: number
  /** Null if this role may not see it. */
  readonly confirming: number | null
}

const LOCAL = new Set(['off', 'local'])

const ofCrashes = ({ fsync, commits }: Promised): Finding[] =>
  fsync === 'on' && commits !== 'off'
    ? []
    : [
        warning(
          'durability',
          `What was acknowledged may be lost in a crash: ${fsync === 'on' ? 'synchronous_commit' : 'fsync'} is off.`,
          "Switch it on: in postgresql.conf, in Patroni's parameters, or with alter role … reset synchronous_commit.",
        ),
      ]

const ofFailovers = ({ names, commits, standbys, confirming }: Promised): Finding[] => {
  if (names === '')
    return standbys === 0
      ? []
      : [
          warning(
            'durability',
            `${standbys} standbys follow, and none has to confirm: a failover may lose what was acknowledged.`,
            'Set synchronous_mode in Patroni, or synchronous_standby_names, if one of them may be promoted.',
          ),
        ]
  if (LOCAL.has(commits))
    return [
      fault(
        'durability',
        `synchronous_commit is ${commits} for this role, so no standby is waited for, though one should be.`,
        'Run: alter role current_user reset synchronous_commit, and the same for the database.',
      ),
    ]
  return standbys === 0 || confirming === 0
    ? [
        fault(
          'durability',
          `No standby of synchronous_standby_names (${names}) follows: every write waits, and then fails.`,
          'Start one (patronictl list shows them), or change synchronous_standby_names.',
        ),
      ]
    : []
}

export const checkDurability: Check = {
  name: 'durability',
  look: async ({ client }) => {
    const { rows } = await client.query<Promised>(`
      select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
        current_setting('synchronous_standby_names') as names,
        (select count(*)::int from pg_stat_replication where application_name <> 'pg_basebackup') as standbys,
        (select case when count(*) = count(sync_state) then count(*) filter (where sync_state in ('sync', 'quorum')) end::int
          from pg_stat_replication) as confirming`)
    const promised = rows[0] as Promised
    const findings = [...ofCrashes(promised), ...ofFailovers(promised)]
    return findings.length > 0 ? findings : [ok('durability', 'What is acknowledged survives what it has to.')]
  },
}
