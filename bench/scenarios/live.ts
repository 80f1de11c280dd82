// Subscriptions: what many open ones cost while nothing happens, how soon a change reaches all of one list's, and how many lists a
// write has read again.
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { createLogger } from '../../src/base/log.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { type Bench, type Group, nothingFound, withServers } from '../bench-frame.ts'
import { usageOf } from '../measure/process-usage.ts'
import { percentile } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import type { Reading } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'

/** Many subscriptions over one socket each: what is measured is the service, not the number of ports of this machine. */
const PER_SOCKET = 50
/** Sockets that connect at once: clients whose results do not come in time would be told to try again. */
const AT_ONCE = 10
const PATIENCE_MS = 60_000

interface Followers {
  /** How many results have arrived. */
  readonly results: () => number
  /** When each arrived since the last call of `forget`, by `performance.now()`. */
  readonly times: () => readonly number[]
  forget(): void
  close(): void
}

const until = async (what: string, isSo: () => boolean, sayMore = () => ''): Promise<void> => {
  for (const end = performance.now() + PATIENCE_MS; !isSo(); await delay(10))
    if (performance.now() > end) throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s${sayMore()}`)
}

interface Wanted {
  readonly port: number
  readonly key: string
  readonly count: number
  readonly query: (index: number) => { readonly query: string; readonly variables: Record<string, unknown> }
}

const openFollowers = async ({ port, key, count, query }: Wanted): Promise<Followers> => {
  let results = 0
  let times: number[] = []
  let refused = 'none was refused'
  const sockets: WebSocket[] = []

  const open = (number: number, own: number): WebSocket => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, 'graphql-transport-ws')
    const subscribe = (): void => {
      for (let index = 0; index < own; index += 1) {
        const payload = query(number * PER_SOCKET + index)
        socket.send(JSON.stringify({ id: String(index), type: 'subscribe', payload }))
      }
    }
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: `Bearer ${key}` } }))
    })
    socket.on('message', data => {
      const text = data.toString()
      if (text.includes('"type":"next"')) {
        results += 1
        times.push(performance.now())
      } else if (text.includes('connection_ack')) subscribe()
      else if (text.includes('"type":"error"')) refused = text
    })
    socket.on('close', (code, reason) => {
      refused = `closed with ${code} ${reason}`
    })
    socket.on('error', error => console.error(error))
    return socket
  }

  for (let opened = 0; opened < count; ) {
    const next = Math.min(opened + AT_ONCE * PER_SOCKET, count)
    for (let first = opened; first < next; first += PER_SOCKET)
      sockets.push(open(first / PER_SOCKET, Math.min(PER_SOCKET, next - first)))
    opened = next
    await until(
      `${next} first results`,
      () => results >= next,
      () => `, but ${results}; ${refused}`,
    )
  }
  return {
    results: () => results,
    times: () => times,
    forget: () => {
      times = []
    },
    close: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}

const LIST = `subscription ($masjid: uuid!) {
  up_events(where: {masjid_id: {_eq: $masjid}}, order_by: {starts_local: asc}, limit: 10) { id title capacity }
}`

const someMasjids = async (owner: Database, count: number): Promise<readonly string[]> => {
  const rows = await owner.query<{ id: string }>(rawSql(`select id from up_masjids order by id limit ${count}`))
  return rows.map(({ id }) => id)
}

const touch = (owner: Database, masjid: string): Promise<unknown> =>
  owner.run(rawSql(`update up_events set capacity = coalesce(capacity, 0) + 1 where masjid_id = '${masjid}'`))

interface Running extends Omit<Wanted, 'count' | 'query'> {
  readonly pid: number
  readonly owner: Database
  readonly quick: boolean
}

const IDLE_MS = 10_000

const whenIdle = async ({ pid, owner, quick, ...service }: Running): Promise<readonly Reading[]> => {
  const count = quick ? 1000 : 10_000
  const masjids = await someMasjids(owner, 1000)
  const before = usageOf(pid)
  const query = (index: number) => ({ query: LIST, variables: { masjid: masjids[index % masjids.length] } })
  const followers = await openFollowers({ ...service, count, query })
  await delay(3000)
  const start = usageOf(pid)
  await delay(IDLE_MS)
  const end = usageOf(pid)
  followers.close()
  const cpu = ((end.cpuSeconds - start.cpuSeconds) / (IDLE_MS / 1000)) * 100
  const each = ((end.memory - before.memory) * 1024) / count
  const note = `${count.toLocaleString('en-US')} open, ${PER_SOCKET} on a socket`
  return [
    {
      name: 'live.idle',
      title: 'CPU of open subscriptions while nothing changes',
      value: cpu,
      unit: '% of a core',
      note,
    },
    { name: 'live.memory', title: 'Memory of an open subscription', value: each, unit: 'KiB', note },
  ]
}

const ROUNDS = 20

const oneList = async ({ owner, quick, port, key }: Running): Promise<readonly Reading[]> => {
  const count = 1000
  const [masjid = ''] = await someMasjids(owner, 1)
  const followers = await openFollowers({ port, key, count, query: () => ({ query: LIST, variables: { masjid } }) })
  const delays: number[] = []
  for (let round = 0; round < (quick ? 3 : ROUNDS); round += 1) {
    followers.forget()
    const before = followers.results()
    await touch(owner, masjid)
    const committed = performance.now()
    await until('the change', () => followers.results() >= before + count)
    delays.push(...followers.times().map(time => time - committed))
  }
  followers.close()
  const note = `1,000 subscribers of one list, ${delays.length / count} changes`
  return [
    {
      name: 'live.delay',
      title: 'From a commit to all subscribers, p99',
      value: percentile(delays, 99),
      unit: 'ms',
      note,
    },
  ]
}

const manyLists = async ({ owner, port, key }: Running): Promise<readonly Reading[]> => {
  const masjids = await someMasjids(owner, 1000)
  const query = (index: number) => ({ query: LIST, variables: { masjid: masjids[index] } })
  const followers = await openFollowers({ port, key, count: masjids.length, query })
  const before = followers.results()
  for (const masjid of masjids.slice(0, 10)) await touch(owner, masjid)
  await until('the changes', () => followers.results() >= before + 10)
  await delay(1000)
  followers.close()
  const value = (followers.results() - before) / 10
  const note = '1,000 lists of different masjids, 10 writes'
  return [{ name: 'live.lists', title: 'Lists sent again by a write to one of them', value, unit: 'lists', note }]
}

/** A change of any masjid may change any of these: all of them are read again. `alias` makes each a statement of its own. */
const bySlug = (alias: string): string =>
  `subscription ($slug: String!) { ${alias}: up_masjids(where: {slug: {_eq: $slug}}) { slug name capacity } }`

const costOfAll = async ({ pid, owner, quick, port, key }: Running, aliasOf: (index: number) => string) => {
  const rows = await owner.query<{ slug: string }>(rawSql('select slug from up_masjids order by id limit 1000'))
  const query = (index: number) => ({ query: bySlug(aliasOf(index)), variables: { slug: rows[index]?.slug } })
  const followers = await openFollowers({ port, key, count: rows.length, query })
  const rounds = quick ? 2 : 5
  const change = async (): Promise<void> => {
    const before = followers.results()
    await owner.run(rawSql('update up_masjids set capacity = coalesce(capacity, 0) + 1'))
    await until('all lists', () => followers.results() >= before + rows.length)
  }
  await change()
  const [start, since] = [usageOf(pid).cpuSeconds, performance.now()]
  for (let round = 0; round < rounds; round += 1) await change()
  const cost = {
    cpuMs: ((usageOf(pid).cpuSeconds - start) * 1000) / rounds,
    ms: (performance.now() - since) / rounds,
  }
  followers.close()
  return cost
}

/** 1,000 lists that differ in a value, all concerned by a change: read a hundred at a time, or each by itself. */
const together = async (running: Running): Promise<readonly Reading[]> => {
  const one = await costOfAll(running, index => `list_${index}`)
  const all = await costOfAll(running, () => 'list')
  const note = `1,000 lists concerned by one change: ${all.ms.toFixed(0)} ms and ${all.cpuMs.toFixed(0)} ms of CPU together, ${one.ms.toFixed(0)} and ${one.cpuMs.toFixed(0)} one by one`
  return [
    {
      name: 'live.together',
      title: 'Lists read one by one, compared with together',
      value: one.ms / all.ms,
      unit: '× the time',
      note,
    },
  ]
}

export const liveGroup: Group = {
  name: 'live',
  run: async bench => {
    if (!isChosen('live', bench.options)) return nothingFound
    const readings = await measureLive(bench)
    for (const { title, value, unit } of readings) bench.progress.done(`${title}: ${value.toFixed(1)} ${unit}`)
    return { results: [], readings }
  },
}

const measureLive = ({ environment, database, tenants, options }: Bench): Promise<readonly Reading[]> =>
  withServers(async started => {
    const limits = { SUBSCRIPTIONS_PER_APP: '20000', SUBSCRIPTIONS_PER_ADDRESS: '20000' }
    const { pid, port } = await started(startMinaret({ ...environment, ...limits }))
    const owner = openDatabase(database, { poolSize: 1, log: createLogger('silent') })
    try {
      const running: Running = { pid, port, key: tenants.key, owner, quick: options.quick }
      return [
        ...(await whenIdle(running)),
        ...(await oneList(running)),
        ...(await manyLists(running)),
        ...(await together(running)),
      ]
    } finally {
      await owner.close()
    }
  })
