// What can be done to a running cluster, by name: for whoever tries it, in one line each.
import { type DatabaseHost, databases, type Host, hosts, keepers, ports } from './hosts.ts'
import { findLeaders, readMembers, switchOver } from './patroni.ts'
import type { Cluster } from './start-cluster.ts'

export interface Act {
  readonly what: string
  /** What has been done, in a sentence. */
  readonly run: (cluster: Cluster, words: readonly string[]) => Promise<string>
}

const patroniOf =
  (cluster: Cluster) =>
  (host: DatabaseHost): number =>
    cluster.portOf(host, ports.patroni)

const leaderOf = async (cluster: Cluster): Promise<DatabaseHost> => {
  const [leader] = await findLeaders(patroniOf(cluster))
  if (leader === undefined) throw new Error('There is no leader at the moment.')
  return leader
}

const databaseOf = (word: string | undefined): DatabaseHost => {
  const host = databases.find(one => one === word)
  if (host === undefined) throw new Error(`Which one: ${databases.join(', ')}?`)
  return host
}

const hostOf = (word: string | undefined): Host => {
  const host = hosts.find(one => one === word)
  if (host === undefined) throw new Error(`Which one: ${hosts.join(', ')}?`)
  return host
}

export const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  [
    'list',
    {
      what: 'list',
      run: async cluster => {
        const members = await readMembers(patroniOf(cluster))
        return members
          .map(({ name, role, state, timeline }) => `${name} ${role} ${state} ${timeline ?? ''}`)
          .join('\n        ')
      },
    },
  ],
  [
    'switchover',
    {
      what: 'switchover',
      run: async cluster => switchOver(patroniOf(cluster), await leaderOf(cluster)),
    },
  ],
  [
    'kill',
    {
      what: 'kill [HOST] (the leader)',
      run: async (cluster, [word]) => {
        const host = word === undefined ? await leaderOf(cluster) : hostOf(word)
        await cluster.signal(host, 'KILL')
        return `${host} is dead. ${databases.some(one => one === host) ? `start ${host} brings it back.` : ''}`
      },
    },
  ],
  [
    'start',
    {
      what: 'start db1',
      run: async (cluster, [word]) => {
        const host = databaseOf(word)
        await cluster.startDatabase(host)
        return `${host} is starting.`
      },
    },
  ],
  [
    'cut',
    {
      what: 'cut HOST [HOST …] (from these; the leader from etcd)',
      run: async (cluster, [word, ...words]) => {
        const one = word === undefined ? await leaderOf(cluster) : hostOf(word)
        const others = words.length === 0 ? keepers : words.map(hostOf)
        await cluster.cut([one], others)
        return `${one} and ${others.join(', ')} do not reach each other. heal ends that.`
      },
    },
  ],
  [
    'heal',
    {
      what: 'heal',
      run: async cluster => {
        await cluster.heal()
        return 'Every link is whole.'
      },
    },
  ],
])

export const describeActs = (): string =>
  `To try: ${[...acts.values()].map(({ what }) => what).join(', ')}. Ctrl-C ends it all.`
