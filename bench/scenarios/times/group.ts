// Times that people pray by, read from the database, beside PostGraphile, hand-written routes, and one masjid by its key.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../../bench-frame.ts'
import { announceTimes } from '../../data/announce.ts'
import type { Scenario } from '../../measure/rounds.ts'
import { isChosen } from '../../options.ts'
import { BY_KEY } from '../../report/bars.ts'
import { askMinaret, scenarioFor } from '../graphql.ts'
import { type GraphqlServers, startGraphqlServers } from '../graphql-servers.ts'
import { byKey, type Question } from '../questions.ts'
import { timesQuestions } from './questions.ts'

const besideOneRow = async (bench: Bench, servers: GraphqlServers, question: Question): Promise<Scenario> => {
  const scenario = await scenarioFor(bench, servers, question)
  return { ...scenario, contenders: [...scenario.contenders, askMinaret(bench, BY_KEY, servers, byKey(bench.sizes))] }
}

export const timesGroup: Group = {
  name: 'times',
  run: async bench => {
    const chosen = timesQuestions(bench.sizes).filter(({ name }) => isChosen(name, bench.options))
    if (chosen.length === 0) return nothingFound
    return withServers(async started => {
      const servers = await startGraphqlServers(bench, chosen, started)
      await announceTimes(bench)
      const scenarios: Scenario[] = []
      for (const question of chosen) scenarios.push(await besideOneRow(bench, servers, question))
      return { results: await measureChosen(bench, scenarios), readings: [] }
    })
  },
}
