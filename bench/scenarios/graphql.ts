// Minaret and its GraphQL peers → one scenario per question, and some for Minaret and PostGraphile only.
import type { Bench } from '../bench-frame.ts'
import { asClientWrites, clientHeaders } from '../load/clients.ts'
import { jsonRequest } from '../load/request.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Scenario } from '../measure/rounds.ts'
import { HAND_WRITTEN, POSTGRAPHILE, WITHOUT_POLICIES } from '../report/bars.ts'
import { pgbenchContender } from '../servers/pgbench.ts'
import { BEYOND_CACHES, ourDocument, postgraphileDocument, WITHIN_CACHES } from './distinct-documents.ts'
import { ANSWER_START, type Asked, askOnce, randomly } from './graphql-requests.ts'
import type { GraphqlServers } from './graphql-servers.ts'
import { masjids, membersQuery, type Question } from './questions.ts'

const OURS = '/v1/graphql'
const THEIRS = '/graphql'

interface Place {
  readonly pid: number
  readonly port: number
}

const askOver = ({ machinery }: Bench, name: string, server: Place, asked: Asked): Contender =>
  httpContender(machinery, { name, server, source: randomly(asked), bodyStart: ANSWER_START })

const ID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]{8,}(?:Z|[+-]\d\d:?\d\d)/g

/** Ids, and instants whatever their zone. */
const factsIn = (text: string): string => {
  const instants = [...(text.match(INSTANT) ?? [])].map(instant => new Date(instant).toISOString())
  return [...new Set([...(text.match(ID) ?? []), ...instants])].sort().join()
}

/** Contenders that do not return the same rows do not do the same work. */
const checkSameRows = async (first: [Place, Asked], second: [Place, Asked]): Promise<void> => {
  const [ours, theirs] = [await askOnce(first[0].port, first[1]), await askOnce(second[0].port, second[1])]
  if (!ours.startsWith(ANSWER_START)) throw new Error(`Minaret does not answer: ${ours.slice(0, 400)}`)
  if (factsIn(ours) !== factsIn(theirs))
    throw new Error(`The answers differ:\n${ours.slice(0, 400)}\n${theirs.slice(0, 400)}`)
}

const oursFor = ({ tenants }: Bench, { query, variables }: Question): Asked => ({
  path: OURS,
  query,
  variables,
  credential: tenants.key,
})

export const askMinaret = (bench: Bench, name: string, { minaret }: GraphqlServers, question: Question): Contender =>
  askOver(bench, name, minaret, oursFor(bench, question))

const pgbenchFor = ({ cluster }: Bench, servers: GraphqlServers, question: Question): Contender[] => {
  const { pgbench: values, name } = question
  const statement = servers.statements.get(name)
  if (values === undefined || servers.pgbench === undefined || statement === undefined) return []
  const options = { connection: servers.peerConnection, databasePid: cluster.pid, clients: 4, statement, values }
  return [pgbenchContender({ ...options, program: servers.pgbench })]
}

export const scenarioFor = async (bench: Bench, servers: GraphqlServers, question: Question): Promise<Scenario> => {
  const { name, title, variables } = question
  const ours = oursFor(bench, question)
  const contenders = [askMinaret(bench, 'Minaret', servers, question)]
  const peer = servers.postgraphile(question)
  if (peer !== undefined && question.postgraphile !== undefined) {
    const asked = { path: THEIRS, query: question.postgraphile, variables }
    await checkSameRows([servers.minaret, ours], [peer, asked])
    contenders.push(askOver(bench, POSTGRAPHILE, peer, asked))
  }
  const route = { path: `/${name}`, query: '', variables }
  await checkSameRows([servers.minaret, ours], [servers.handWritten, route])
  contenders.push(askOver(bench, HAND_WRITTEN, servers.handWritten, route))
  if (question.secured) {
    const open = { ...ours, query: membersQuery('ua_open_members') }
    await checkSameRows([servers.minaret, ours], [servers.minaret, open])
    contenders.push(askOver(bench, WITHOUT_POLICIES, servers.minaret, open))
  }
  return { name, title, contenders: [...contenders, ...pgbenchFor(bench, servers, question)] }
}

interface Rotation {
  readonly name: string
  readonly documents: number
  readonly size: string
}

/** As many as every contender caches, and more than PostGraphile caches. */
const rotations: readonly Rotation[] = [
  { name: 'graphql.distinct', documents: WITHIN_CACHES, size: 'within the default caches' },
  { name: 'graphql.distinct-beyond', documents: BEYOND_CACHES, size: "more than PostGraphile's default caches hold" },
]

/** Different documents in rotation: a cache should save parsing, validation and planning. */
const distinctScenario = (bench: Bench, servers: GraphqlServers, { name, documents, size }: Rotation): Scenario => {
  const variables = masjids(bench.sizes)
  const rotation = (path: string, document: (number: number) => string, headers: Record<string, string>) => {
    const requests = Array.from({ length: documents }, (_, number) => {
      const body = { query: document(number), variables: variables[number % variables.length] }
      return jsonRequest(path, asClientWrites(body, number), { ...clientHeaders(number), ...headers })
    })
    return () => ({ kind: 'rotation', requests }) as const
  }
  const ours = rotation(OURS, ourDocument, { authorization: `Bearer ${bench.tenants.key}` })
  const peer = servers.postgraphile({ filters: false, secured: false })
  const contender = (name: string, server: Place, source: typeof ours): Contender =>
    httpContender(bench.machinery, { name, server, source, bodyStart: ANSWER_START })
  return {
    name,
    title: `${documents} different documents in rotation, ${size}`,
    contenders: [
      contender('Minaret', servers.minaret, ours),
      ...(peer === undefined ? [] : [contender(POSTGRAPHILE, peer, rotation(THEIRS, postgraphileDocument, {}))]),
    ],
  }
}

export const graphqlScenarios = async (
  bench: Bench,
  servers: GraphqlServers,
  asked: readonly Question[],
): Promise<readonly Scenario[]> => {
  const scenarios: Scenario[] = []
  for (const question of asked) scenarios.push(await scenarioFor(bench, servers, question))
  return [...scenarios, ...rotations.map(rotation => distinctScenario(bench, servers, rotation))]
}
