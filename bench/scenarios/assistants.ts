// What the endpoint for assistants costs: a query through its tool, beside the same query at the GraphQL endpoint. In the sandbox,
// which needs no token; each request is different, so that none is answered from the cache.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { NUMBER_MARK } from '../load/job.ts'
import { jsonRequest } from '../load/request.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { ITS_QUERY } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START } from './graphql-requests.ts'

const query = `query List($not: String!) {
  up_masjids(where: {name: {_neq: $not}}, order_by: {name: asc}, limit: 10) { id name city state address }
}`
const asked = { query, variables: { not: NUMBER_MARK } }

const VERSION = '2026-07-28'

const toolCall = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'query',
    arguments: asked,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

const toolHeaders = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'query',
}

const scenario = ({ machinery }: Bench, minaret: Minaret): Scenario => {
  const sandbox = { pid: minaret.pid, port: minaret.sandboxPort }
  let from = 0
  const numbered = (request: string) => () => {
    from += 1_000_000
    return { kind: 'numbered', request, from } as const
  }
  return {
    name: 'assistants.query',
    title: 'Assistants: a query through the tool',
    contenders: [
      httpContender(machinery, {
        name: 'Minaret',
        server: sandbox,
        source: numbered(jsonRequest('/mcp', toolCall, toolHeaders)),
        bodyStart: '{',
      }),
      httpContender(machinery, {
        name: ITS_QUERY,
        server: sandbox,
        source: numbered(jsonRequest('/v1/graphql', asked)),
        bodyStart: ANSWER_START,
      }),
    ],
  }
}

export const assistantsGroup: Group = {
  name: 'assistants',
  run: async bench => {
    if (!isChosen('assistants', bench.options)) return nothingFound
    return withServers(async started => {
      const minaret = await started(startMinaret(bench.environment))
      return { results: await measureChosen(bench, [scenario(bench, minaret)]), readings: [] }
    })
  },
}
