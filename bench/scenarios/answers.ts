// Answers from memory: the list while its tables are written once a second, requests of which no two are alike, and the sandbox
// beside a response that takes no work at all.
import { createLogger } from '../../src/base/log.ts'
import { openDatabase } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { NUMBER_MARK } from '../load/job.ts'
import { jsonRequest, requestText } from '../load/request.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { HAND_WRITTEN, HEALTH, POSTGRAPHILE, WITHOUT_MEMORY } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, type Asked, askOnce, randomly } from './graphql-requests.ts'
import { type GraphqlServers, startGraphqlServers } from './graphql-servers.ts'
import { LIST_QUERY, type Question, questions } from './questions.ts'

const PATH = '/v1/graphql'

/** In turn, so that the answers of each round change. */
const writes = [
  'update up_masjids set capacity = coalesce(capacity, 0) + 1 where id = (select id from up_masjids limit 1)',
  'update up_events set capacity = coalesce(capacity, 0) + 1 where id = (select id from up_events limit 1)',
]

/** One write a second, by plain SQL. */
const startWriter = async ({ database }: Bench): Promise<{ stop(): Promise<void> }> => {
  const owner = openDatabase(database, { poolSize: 1, log: createLogger('silent') })
  let count = 0
  const timer = setInterval(() => {
    count += 1
    owner.run(rawSql(writes[count % writes.length] as string)).catch(error => console.error(error))
  }, 1000)
  return {
    stop: async () => {
      clearInterval(timer)
      await owner.close()
    },
  }
}

const over = ({ machinery }: Bench, name: string, server: { pid: number; port: number }, asked: Asked): Contender =>
  httpContender(machinery, { name, server, source: randomly(asked), bodyStart: ANSWER_START })

/** It must be answered from memory, or the figures say nothing about that. */
const checkHits = async (asked: Asked, port: number): Promise<void> => {
  for (let tries = 0; tries < 100; tries += 1) {
    await askOnce(port, asked)
    const response = await fetch(`http://127.0.0.1:${port}${asked.path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${asked.credential}`,
        'x-minaret-explain': '1',
      },
      body: JSON.stringify({ query: asked.query, variables: asked.variables[0] }),
    })
    if (/"cache":\{"hit":true/.test(await response.text())) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('The list is not answered from memory.')
}

const listScenario = async (
  bench: Bench,
  servers: GraphqlServers,
  remembering: Minaret,
  list: Question,
): Promise<Scenario> => {
  const { query, variables, postgraphile } = list
  const ours = { path: PATH, query, variables, credential: bench.tenants.key }
  await checkHits(ours, remembering.port)
  const peer = servers.postgraphile(list)
  const theirs = { path: '/graphql', query: postgraphile ?? '', variables }
  return {
    name: 'answers.list',
    title: 'The list, answered from memory while its tables are written once a second',
    contenders: [
      over(bench, 'Minaret', remembering, ours),
      ...(peer === undefined ? [] : [over(bench, POSTGRAPHILE, peer, theirs)]),
      over(bench, HAND_WRITTEN, servers.handWritten, { path: `/${list.name}`, query: '', variables }),
    ],
  }
}

/** The filter excludes nothing; it only makes every request another one. */
const DISTINCT_QUERY = LIST_QUERY.replace('($city: String!)', '($city: String!, $not: String!)').replace(
  '{city: {_eq: $city}}',
  '{city: {_eq: $city}, name: {_neq: $not}}',
)

const distinctScenario = (bench: Bench, remembering: Minaret, forgetting: Minaret, list: Question): Scenario => {
  const variables = { ...list.variables[0], not: NUMBER_MARK }
  const request = jsonRequest(
    PATH,
    { query: DISTINCT_QUERY, variables },
    { authorization: `Bearer ${bench.tenants.key}` },
  )
  let from = 0
  const contender = (name: string, server: Minaret): Contender =>
    httpContender(bench.machinery, {
      name,
      server,
      source: () => {
        from += 1_000_000
        return { kind: 'numbered', request, from }
      },
      bodyStart: ANSWER_START,
    })
  return {
    name: 'answers.distinct',
    title: 'The list, no two requests alike, with and without answers in memory',
    contenders: [contender('Minaret', remembering), contender(WITHOUT_MEMORY, forgetting)],
  }
}

const SANDBOX_QUERY = `query List($offset: Int!) {
  up_masjids(order_by: {name: asc}, limit: 25, offset: $offset) {
    id name city state address
    events(order_by: {starts_local: asc}, limit: 3) { id title starts_local }
  }
}`

const sandboxScenario = (bench: Bench, minaret: Minaret): Scenario => {
  const variables = Array.from({ length: 10 }, (_, offset) => ({ offset }))
  const sandbox = { pid: minaret.pid, port: minaret.sandboxPort }
  const health = requestText({ method: 'GET', path: '/healthz' })
  return {
    name: 'answers.sandbox',
    title: "The sandbox's cached list beside a bare GET /healthz",
    contenders: [
      over(bench, 'Minaret', sandbox, { path: PATH, query: SANDBOX_QUERY, variables }),
      httpContender(bench.machinery, {
        name: HEALTH,
        server: minaret,
        source: () => ({ kind: 'rotation', requests: [health] }),
      }),
    ],
  }
}

export const answersGroup: Group = {
  name: 'answers',
  run: async bench => {
    if (!isChosen('answers', bench.options)) return nothingFound
    return withServers(async started => {
      const list = questions(bench.sizes).find(({ name }) => name === 'graphql.list') as Question
      const servers = await startGraphqlServers(bench, [list], started)
      const remembering = await started(startMinaret({ ...bench.environment, ANSWER_CACHE_MB: '32' }))
      const distinct = distinctScenario(bench, remembering, servers.minaret, list)
      const sandbox = sandboxScenario(bench, servers.minaret)
      const results = await measureChosen(bench, [distinct, sandbox])
      await started(startWriter(bench))
      const written = await measureChosen(bench, [await listScenario(bench, servers, remembering, list)])
      return { results: [...written, ...results], readings: [] }
    })
  },
}
