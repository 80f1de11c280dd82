// The hosts of DATABASE_URL, if there are several: whether all belong to one cluster, and exactly one of them can be written to.
import type pg from 'pg'
import { placeOf } from '../../db/await-database.ts'
import type { Connection } from '../../db/connection.ts'
import { withClient } from '../../db/with-client.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check } from './subject.ts'

const SETTINGS = { connectionTimeoutMillis: 5000, query_timeout: 5000 }

interface State {
  readonly system: string
  readonly standby: boolean
}

interface Host {
  readonly place: string
  /** The reason why it cannot be asked. */
  readonly state: State | string
}

const readState = async (client: pg.Client): Promise<State> => {
  const { rows } = await client.query<State>(
    'select (select system_identifier::text from pg_control_system()) as system, pg_is_in_recovery() as standby',
  )
  return rows[0] as State
}

const ask = async (connection: Connection): Promise<Host> => {
  const place = placeOf(connection)
  try {
    return { place, state: await withClient({ ...connection, ...SETTINGS }, readState) }
  } catch (error) {
    return { place, state: (error as Error).message }
  }
}

const placesOf = (hosts: readonly Host[]): string => hosts.map(({ place }) => place).join(', ')

const judge = (hosts: readonly Host[]): Finding[] => {
  const known = hosts.filter((host): host is Host & { state: State } => typeof host.state !== 'string')
  const leaders = known.filter(({ state }) => !state.standby)
  const strangers = known.filter(({ state }) => state.system !== (leaders[0] ?? known[0])?.state.system)
  const silent = hosts.filter(({ state }) => typeof state === 'string')
  const one = 'DATABASE_URL names hosts of one cluster; exactly one of them can be written to.'
  if (strangers.length > 0)
    return [
      fault(
        'hosts',
        `${placesOf(strangers)} in DATABASE_URL: of another cluster than the rest.`,
        'Name only the hosts of one cluster: whichever can be written to is used.',
      ),
    ]
  if (leaders.length > 1)
    return [
      fault(
        'hosts',
        `${placesOf(leaders)} can all be written to: what is written to one is not on the others.`,
        'Find out which is the leader (patronictl list), and stop the others at once.',
      ),
    ]
  return silent.length === 0
    ? [ok('hosts', one)]
    : silent.map(({ place, state }) =>
        warning('hosts', `${place} cannot be reached: ${state}.`, 'Start it, or take it out of DATABASE_URL.'),
      )
}

export const checkHosts: Check = {
  name: 'hosts',
  look: async ({ store: { owner } }) =>
    owner.several === undefined
      ? [ok('hosts', 'DATABASE_URL names one host.')]
      : judge(await Promise.all(owner.several.list.map(ask))),
}
