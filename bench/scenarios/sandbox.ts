// The sandbox, cached and uncached, beside the same query on the live endpoint.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { NUMBER_MARK } from '../load/job.ts'
import { jsonRequest } from '../load/request.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { MAIN_LIST } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'

/** The filter excludes nothing; it only makes requests differ where that is wanted. */
const QUERY = `query List($offset: Int!, $not: String!) {
  up_masjids(where: {name: {_neq: $not}}, order_by: {name: asc}, limit: 25, offset: $offset) {
    id name city state address
    events(order_by: {starts_local: asc}, limit: 3) { id title starts_local }
  }
}`

const variables = Array.from({ length: 10 }, (_, offset) => ({ offset, not: '' }))

const scenario = ({ machinery, tenants }: Bench, minaret: Minaret): Scenario => {
  const path = '/v1/graphql'
  const sandbox = { pid: minaret.pid, port: minaret.sandboxPort }
  const uncached = jsonRequest(path, { query: QUERY, variables: { offset: 0, not: NUMBER_MARK } })
  let from = 0
  const nextNumbers = (): number => {
    from += 1_000_000
    return from
  }
  const shared = { bodyStart: ANSWER_START }
  return {
    name: 'sandbox.cached',
    title: 'Sandbox: the list, answered from the cache',
    contenders: [
      httpContender(machinery, {
        ...shared,
        name: 'Minaret',
        server: sandbox,
        source: randomly({ path, query: QUERY, variables }),
      }),
      httpContender(machinery, {
        ...shared,
        name: 'the sandbox, each request different',
        server: sandbox,
        source: () => ({ kind: 'numbered', request: uncached, from: nextNumbers() }),
      }),
      httpContender(machinery, {
        ...shared,
        name: MAIN_LIST,
        server: minaret,
        source: randomly({ path, query: QUERY, variables, credential: tenants.key }),
      }),
    ],
  }
}

export const sandboxGroup: Group = {
  name: 'sandbox',
  run: async bench => {
    if (!isChosen('sandbox', bench.options)) return nothingFound
    return withServers(async started => {
      const minaret = await started(startMinaret(bench.environment))
      return { results: await measureChosen(bench, [scenario(bench, minaret)]), readings: [] }
    })
  },
}
