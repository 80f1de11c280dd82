// Starts the GraphQL servers side by side, measures and stops them.
import { type Group, measureChosen, withServers } from '../bench-frame.ts'
import { peakMemoryOf } from '../measure/process-usage.ts'
import { isChosen } from '../options.ts'
import { graphqlScenarios } from './graphql.ts'
import { startGraphqlServers } from './graphql-servers.ts'
import { pageScenario } from './pages.ts'
import { questions } from './questions.ts'

export const graphqlGroup: Group = {
  name: 'graphql',
  run: bench =>
    withServers(async started => {
      const chosen = questions(bench.sizes).filter(({ name }) => isChosen(name, bench.options))
      const servers = await startGraphqlServers(bench, chosen, started)
      const pages = isChosen('graphql.pages', bench.options) ? [await pageScenario(bench, servers)] : []
      const scenarios = [...(await graphqlScenarios(bench, servers, chosen)), ...pages]
      const results = await measureChosen(bench, scenarios)
      const value = peakMemoryOf(servers.minaret.pid)
      const title = 'Memory of Minaret under load, at its peak'
      return { results, readings: [{ name: 'memory.load', title, value, unit: 'MiB' }] }
    }),
}
