// What being watched costs: the same reads with metrics, with traces and with an access log, against none of them.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { questions } from './questions.ts'

interface Collector {
  readonly url: string
  stop(): Promise<void>
}

/** Takes everything and keeps nothing. */
const startCollector = async (): Promise<Collector> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const watched = (collector: Collector): Readonly<Record<string, Readonly<Record<string, string>>>> => {
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
  return {
    Minaret: {},
    'with metrics': { METRICS_PORT: '0' },
    'with traces of all requests': traces,
    'with traces of one request in ten': { ...traces, OTEL_TRACES_SAMPLER_ARG: '0.1' },
    'with an access log': { ACCESS_LOG: 'on', LOG_LEVEL: 'info' },
  }
}

export const observabilityGroup: Group = {
  name: 'observability',
  run: async bench => {
    if (!isChosen('observability', bench.options)) return nothingFound
    return withServers(async started => {
      const collector = await started(startCollector())
      const servers: (readonly [string, Minaret])[] = []
      for (const [name, environment] of Object.entries(watched(collector)))
        servers.push([name, await started(startMinaret({ ...bench.environment, ...environment }))])
      const scenarios = questions(bench.sizes)
        .filter(({ name }) => name === 'graphql.by-key' || name === 'graphql.list')
        .map(({ name, title, query, variables }): Scenario => {
          const asked = { path: '/v1/graphql', query, variables, credential: bench.tenants.key }
          const contenders = servers.map(([label, server]) =>
            httpContender(bench.machinery, { name: label, server, source: randomly(asked), bodyStart: ANSWER_START }),
          )
          return { name: name.replace('graphql', 'observability'), title: `${title}, watched`, contenders }
        })
      return { results: await measureChosen(bench, scenarios), readings: [] }
    })
  },
}
