// Minaret, PostGraphile and a hand-written route side by side, writing the same rows under the same role, policies and audit.
import { withClient } from '../../src/db/with-client.ts'
import { type Bench, measureChosen, withServers } from '../bench-frame.ts'
import { PEER_PASSWORD, WRITING_PEER } from '../data/load.ts'
import { LEAVE_OUT_AUDIT } from '../data/notices.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Result, Scenario } from '../measure/rounds.ts'
import { HAND_WRITTEN, POSTGRAPHILE, WITHOUT_AUDIT } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'
import { type Server, startPeer } from '../servers/server.ts'
import { type Asked, askOnce, randomly } from './graphql-requests.ts'
import { HOME, tables, type Write, writes } from './writes.ts'

interface Place {
  readonly pid: number
  readonly port: number
}

interface WritingServers {
  readonly minaret: Place
  readonly postgraphile: Place
  readonly handWritten: Place
}

/** As many as Minaret has for writing. */
const POOL_SIZE = 4

const settingsOf = ({ tenants }: Bench): Readonly<Record<string, string>> => ({
  'minaret.user_id': '',
  'minaret.masjids': '*',
  'minaret.own_masjids': `{${HOME}}`,
  'minaret.app_id': tenants.writer.appId,
})

const startPeers = async (bench: Bench, started: <S extends Server>(server: Promise<S>) => Promise<S>) => {
  const { host, port, database } = bench.database
  const connection = { host, port, database, user: WRITING_PEER, password: PEER_PASSWORD }
  const settings = settingsOf(bench)
  const routes = writes.map(({ route }) => route)
  const options = { connection, poolSize: POOL_SIZE }
  const postgraphile = startPeer({
    name: POSTGRAPHILE,
    file: './postgraphile.ts',
    settings: { ...options, filters: false, pgSettings: settings },
  })
  const handWritten = startPeer({
    name: HAND_WRITTEN,
    file: './hand-written-writes.ts',
    settings: { ...options, settings, routes },
  })
  return { postgraphile: await started(postgraphile), handWritten: await started(handWritten) }
}

const leaveOutAudit = ({ database }: Bench): Promise<unknown> =>
  withClient(database, client => client.query(LEAVE_OUT_AUDIT))

interface Side {
  readonly name: string
  readonly server: Place
  readonly asked: Asked
  /** A response that begins otherwise is an error. */
  readonly bodyStart: string
}

const sidesOf = (bench: Bench, servers: WritingServers, write: Write): readonly Side[] => {
  const { variables, route } = write
  const ours = { path: '/v1/graphql', variables, credential: bench.tenants.writer.key }
  const field = (table: string): string => route.field.replace(tables.audited, table)
  return [
    {
      name: 'Minaret',
      server: servers.minaret,
      asked: { ...ours, query: write.document(tables.audited) },
      bodyStart: `{"data":{"${field(tables.audited)}":{"id"`,
    },
    {
      name: POSTGRAPHILE,
      server: servers.postgraphile,
      asked: { path: '/graphql', variables, query: write.postgraphile },
      bodyStart: '{"data":{"',
    },
    {
      name: HAND_WRITTEN,
      server: servers.handWritten,
      asked: { path: route.path, variables, query: '' },
      bodyStart: `{"data":{"${field(tables.audited)}":{"id"`,
    },
    {
      name: WITHOUT_AUDIT,
      server: servers.minaret,
      asked: { ...ours, query: write.document(tables.unaudited) },
      bodyStart: `{"data":{"${field(tables.unaudited)}":{"id"`,
    },
  ]
}

/** Everything that was asked for, in whatever form: keys and versions differ from row to row. */
const contentOf = (text: string): string =>
  (text.match(/Notice \d+|Parking[^"]*|"priority":\d+|Masjid [^"]*/g) ?? []).join()

/** Contenders that do not write and return the same do not do the same work. */
const checkSame = async (sides: readonly Side[]): Promise<void> => {
  const found = new Map<string, string>()
  for (const { name, server, asked, bodyStart } of sides) {
    const text = await askOnce(server.port, asked)
    if (!text.startsWith(bodyStart) || text.includes('"errors"')) throw new Error(`${name}: ${text.slice(0, 600)}`)
    found.set(name, contentOf(text))
  }
  if (new Set(found.values()).size > 1) throw new Error(`The answers differ: ${JSON.stringify([...found])}`)
}

const scenarioFor = async (bench: Bench, servers: WritingServers, write: Write): Promise<Scenario> => {
  const sides = sidesOf(bench, servers, write)
  await checkSame(sides)
  const contenders = sides.map(
    ({ name, server, asked, bodyStart }): Contender =>
      httpContender(bench.machinery, { name, server, source: randomly(asked), bodyStart }),
  )
  return { name: write.name, title: write.title, contenders }
}

export const measureWrites = (bench: Bench, chosen: readonly Write[]): Promise<readonly Result[]> =>
  withServers(async started => {
    bench.progress.step('writing: starting the servers')
    // First: it gives the role that writes its rights, which PostGraphile looks up when it starts.
    const minaret = await started(startMinaret(bench.environment))
    const servers = { minaret, ...(await startPeers(bench, started)) }
    await leaveOutAudit(bench)
    const scenarios: Scenario[] = []
    for (const write of chosen) scenarios.push(await scenarioFor(bench, servers, write))
    return measureChosen(bench, scenarios)
  })
