// The request path: what plain connections gain, and what rejecting a document costs relative to the list query.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { clientHeaders } from '../load/clients.ts'
import { NUMBER_MARK } from '../load/job.ts'
import { jsonRequest } from '../load/request.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { BY_NODE, LIST } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { type Question, questions } from './questions.ts'

const PATH = '/v1/graphql'

const question = ({ sizes }: Bench, wanted: string): Question => {
  const found = questions(sizes).find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`There is no question ${wanted}.`)
  return found
}

const answered = (bench: Bench, name: string, server: Minaret, { query, variables }: Question): Contender =>
  httpContender(bench.machinery, {
    name,
    server,
    source: randomly({ path: PATH, query, variables, credential: bench.tenants.key }),
    bodyStart: ANSWER_START,
  })

const plainScenario = (bench: Bench, minaret: Minaret, byNode: Minaret): Scenario => {
  const byKey = question(bench, 'graphql.by-key')
  return {
    name: 'entrance.plain',
    title: 'One masjid by key, with and without plain connections',
    contenders: [answered(bench, 'Minaret', minaret, byKey), answered(bench, BY_NODE, byNode, byKey)],
  }
}

/** Errors of every kind: a field, an argument, a value, the syntax. */
const mistakes: readonly ((mark: string) => string)[] = [
  mark => `{ up_masjids(limit: 25) { id name city nope${mark} events(limit: 3) { id title } } }`,
  mark => `{ up_masjids(limit: 25, were${mark}: {}) { id name city events(limit: 3) { id title } } }`,
  mark => `{ up_masjids(limit: "x${mark}") { id name city events(limit: 3) { id title } } }`,
  mark => `{ up_masjids(limit: 25) { id name city${mark} events(limit: 3) { id title } `,
]

const REFUSAL_START = '{"errors":['

const request = ({ tenants }: Bench, query: string, number: number): string =>
  jsonRequest(
    PATH,
    { query },
    {
      ...clientHeaders(number),
      // With the newer media type, a rejected document would be 400.
      accept: 'application/json',
      authorization: `Bearer ${tenants.key}`,
    },
  )

/** The same few errors over and over. */
const repeatedScenario = (bench: Bench, minaret: Minaret): Scenario => {
  const requests = Array.from({ length: 200 }, (_, number) =>
    request(bench, mistakes[number % mistakes.length]?.(String(number)) ?? '', number),
  )
  const refused = httpContender(bench.machinery, {
    name: 'Minaret',
    server: minaret,
    source: () => ({ kind: 'rotation', requests }),
    bodyStart: REFUSAL_START,
  })
  return {
    name: 'entrance.refused',
    title: 'Documents that are refused, repeated',
    contenders: [refused, answered(bench, LIST, minaret, question(bench, 'graphql.list'))],
  }
}

/** Every request has a new error. The kinds take turns, one per round. */
const freshScenario = (bench: Bench, minaret: Minaret): Scenario => {
  let round = 0
  const refused = httpContender(bench.machinery, {
    name: 'Minaret',
    server: minaret,
    source: () => {
      const mistake = mistakes[round % mistakes.length]?.(NUMBER_MARK) ?? ''
      round += 1
      return { kind: 'numbered', request: request(bench, mistake, 0), from: round * 1_000_000 }
    },
    bodyStart: REFUSAL_START,
  })
  return {
    name: 'entrance.refused-fresh',
    title: 'Documents that are refused, each another',
    contenders: [refused, answered(bench, LIST, minaret, question(bench, 'graphql.list'))],
  }
}

export const entranceGroup: Group = {
  name: 'entrance',
  run: async bench => {
    if (!isChosen('entrance', bench.options)) return nothingFound
    return withServers(async started => {
      const minaret = await started(startMinaret(bench.environment))
      const byNode = await started(startMinaret({ ...bench.environment, PLAIN_CONNECTIONS: 'off' }))
      const scenarios = [
        plainScenario(bench, minaret, byNode),
        repeatedScenario(bench, minaret),
        freshScenario(bench, minaret),
      ]
      return { results: await measureChosen(bench, scenarios), readings: [] }
    })
  },
}
