// One worker and two: the same list and the same row.
import { type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { httpContender } from '../measure/http-contender.ts'
import { isChosen } from '../options.ts'
import { startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { questions } from './questions.ts'

export const workersGroup: Group = {
  name: 'workers',
  run: async bench => {
    if (!isChosen('workers', bench.options)) return nothingFound
    return withServers(async started => {
      const one = await started(startMinaret({ ...bench.environment, WORKERS: '1' }))
      const two = await started(startMinaret({ ...bench.environment, WORKERS: '2' }))
      const scenarios = questions(bench.sizes)
        .filter(({ name }) => name === 'graphql.list' || name === 'graphql.by-key')
        .map(({ name, title, query, variables }) => {
          const asked = { path: '/v1/graphql', query, variables, credential: bench.tenants.key }
          const contender = (label: string, server: { pid: number; port: number }) =>
            httpContender(bench.machinery, { name: label, server, source: randomly(asked), bodyStart: ANSWER_START })
          return {
            name: name.replace('graphql', 'workers'),
            title: `${title}, with 1 and 2 workers`,
            contenders: [contender('1 worker', one), contender('2 workers', two)],
          }
        })
      return { results: await measureChosen(bench, scenarios), readings: [] }
    })
  },
}
