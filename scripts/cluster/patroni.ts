// Patroni's REST → who is the leader, and what each member of the cluster is doing.
import { type DatabaseHost, databases } from './hosts.ts'

interface Member {
  readonly name: DatabaseHost
  readonly role: 'leader' | 'replica' | 'sync_standby'
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | 'unknown'
}

const PATIENCE_MS = 3000

const askOne = async (port: number, path: string, init: RequestInit = {}): Promise<Response | undefined> => {
  try {
    return await fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch {
    return undefined
  }
}

type PortOf = (host: DatabaseHost) => number

/** As any member knows it; none if no member answers. */
export const readMembers = async (portOf: PortOf): Promise<readonly Member[]> => {
  for (const host of databases) {
    const response = await askOne(portOf(host), '/cluster')
    if (response?.status === 200) return ((await response.json()) as { members: Member[] }).members
  }
  return []
}

/** Those that say of themselves that they are: two only if something is very wrong. */
export const findLeaders = async (portOf: PortOf): Promise<readonly DatabaseHost[]> => {
  const states = await Promise.all(databases.map(host => askOne(portOf(host), '/primary')))
  return databases.filter((_, index) => states[index]?.status === 200)
}

/** One leader, and each of the others streams from it, one of them as the standby that confirms. */
export const isWhole = (members: readonly Member[]): boolean => {
  const [leader, ...others] = [...members].sort(one => (one.role === 'leader' ? -1 : 1))
  return (
    leader?.role === 'leader' &&
    members.length === databases.length &&
    others.some(({ role }) => role === 'sync_standby') &&
    members.every(({ state, timeline }) => /^(running|streaming)$/.test(state) && timeline === leader.timeline)
  )
}

/** Hands over on purpose, as `patronictl switchover` does. */
export const switchOver = async (portOf: PortOf, leader: DatabaseHost): Promise<string> => {
  const body = JSON.stringify({ leader })
  const response = await fetch(`http://127.0.0.1:${portOf(leader)}/switchover`, { method: 'POST', body })
  return `${response.status} ${await response.text()}`
}
