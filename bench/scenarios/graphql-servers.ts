// Minaret and its GraphQL peers, started side by side on the same tables.
import type { Bench } from '../bench-frame.ts'
import { PEER_PASSWORD, PEER_ROLE } from '../data/load.ts'
import { HAND_WRITTEN, POSTGRAPHILE } from '../report/bars.ts'
import { startExplainer } from '../servers/explain.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { findPgbench } from '../servers/pgbench.ts'
import { type Server, startPeer } from '../servers/server.ts'
import type { Question } from './questions.ts'

export interface PeerConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
}

export interface GraphqlServers {
  readonly minaret: Minaret
  readonly handWritten: Server
  /** The instance configured for a question. */
  postgraphile(question: Pick<Question, 'filters' | 'secured'>): Server | undefined
  /** The statement for each question: written by hand, or else the one Minaret compiles. */
  readonly statements: ReadonlyMap<string, string>
  readonly peerConnection: PeerConnection
  /** The path of pgbench, if Debian's PostgreSQL is installed. */
  readonly pgbench: string | undefined
}

/** The settings for row-level security of a key that may read all masjids. */
const keySettings = { 'minaret.user_id': '', 'minaret.masjids': '*', 'minaret.own_masjids': '{}' }

const POOL_SIZE = 8

const peerConnection = ({ database }: Bench): PeerConnection => ({
  host: String(database.host),
  port: Number(database.port),
  database: String(database.database),
  user: PEER_ROLE,
  password: PEER_PASSWORD,
})

const compileAll = async (bench: Bench, questions: readonly Question[]): Promise<ReadonlyMap<string, string>> => {
  const statements = new Map(questions.map(({ name, statement = '' }) => [name, statement]))
  const others = questions.filter(({ statement }) => statement === undefined)
  if (others.length === 0) return statements
  const explainer = await startExplainer(bench.database, bench.tenants.key)
  try {
    for (const { name, query, variables } of others)
      statements.set(name, await explainer.explain(query, variables[0] ?? {}))
    return statements
  } finally {
    await explainer.stop()
  }
}

type Started = <S extends { stop(): Promise<void> }>(server: Promise<S>) => Promise<S>

const startHandWritten = (
  connection: PeerConnection,
  questions: readonly Question[],
  statements: ReadonlyMap<string, string>,
): Promise<Server> => {
  const routes = questions.map(({ name, parameters, secured }) => ({
    path: `/${name}`,
    statement: statements.get(name) ?? '',
    parameters,
    settings: secured ? keySettings : undefined,
  }))
  return startPeer({
    name: HAND_WRITTEN,
    file: './hand-written.ts',
    settings: { connection, poolSize: POOL_SIZE, routes },
  })
}

const kindOf = ({ filters, secured }: Pick<Question, 'filters' | 'secured'>): string => `${filters} ${secured}`

/** A plain instance; and, only for questions that need them, one with the filter plugin and one with per-request settings. */
const startPostgraphiles = async (
  connection: PeerConnection,
  questions: readonly Question[],
  started: Started,
): Promise<ReadonlyMap<string, Server>> => {
  const servers = new Map<string, Server>()
  for (const question of [{ filters: false, secured: false }, ...questions]) {
    if (servers.has(kindOf(question))) continue
    const pgSettings = question.secured ? keySettings : undefined
    const settings = { connection, poolSize: POOL_SIZE, filters: question.filters, pgSettings }
    const server = await started(startPeer({ name: POSTGRAPHILE, file: './postgraphile.ts', settings }))
    servers.set(kindOf(question), server)
  }
  return servers
}

export const startGraphqlServers = async (
  bench: Bench,
  questions: readonly Question[],
  started: Started,
): Promise<GraphqlServers> => {
  bench.progress.step('graphql: starting the servers')
  const connection = peerConnection(bench)
  const statements = await compileAll(bench, questions)
  const minaret = await started(startMinaret(bench.environment))
  const postgraphiles = await startPostgraphiles(connection, questions, started)
  const handWritten = await started(startHandWritten(connection, questions, statements))
  const pgbench = findPgbench()
  if (pgbench === undefined)
    bench.remarks.push(
      'pgbench is absent on this machine (Debian has it in the package postgresql), so its bar was not judged.',
    )
  return {
    minaret,
    handWritten,
    statements,
    pgbench,
    peerConnection: connection,
    postgraphile: question => postgraphiles.get(kindOf(question)),
  }
}
