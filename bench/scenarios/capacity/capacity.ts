// The figures of docs/capacity.md that no comparison gives: writes, answers from memory, sign-ins, subscriptions. Each is what one costs
// in CPU time. Only run by `--only capacity`; on the full dataset and a quiet machine it writes them into the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { type Bench, type Group, nothingFound, withServers } from '../../bench-frame.ts'
import { httpContender } from '../../measure/http-contender.ts'
import { measure } from '../../measure/rounds.ts'
import { withPart } from '../../report/part-of-page.ts'
import { sampleMachine, signsOfWork } from '../../report/quiet.ts'
import { type Minaret, startMinaret } from '../../servers/minaret.ts'
import { type Asked, randomly } from '../graphql-requests.ts'
import { cities, LIST_QUERY } from '../questions.ts'
import { tables, writes } from '../writes.ts'
import { COSTS, type Cost, costTable } from './cost.ts'
import { pushCost } from './push-cost.ts'
import { signInCost } from './sign-in-cost.ts'

const PAGE = new URL('../../../docs/capacity.md', import.meta.url)
/** So few lists are answered from memory after the first seconds. */
const REMEMBERED = 20

interface Measured extends Asked {
  readonly name: string
  readonly title: string
}

const measured = ({ sizes, tenants }: Bench): readonly Measured[] => {
  const path = '/v1/graphql'
  return [
    {
      name: 'capacity.remembered',
      title: 'list of 25 masjids with 3 events each, from memory',
      path,
      query: LIST_QUERY,
      variables: cities(sizes).slice(0, REMEMBERED),
      credential: tenants.key,
    },
    ...writes.map(({ name, title, variables, document }) => ({
      name: name.replace('writing', 'capacity'),
      title: title.toLowerCase(),
      path,
      query: document(tables.audited),
      variables,
      credential: tenants.writer.key,
    })),
  ]
}

const requestCost = async (bench: Bench, minaret: Minaret, { name, title, ...asked }: Measured): Promise<Cost> => {
  const contender = httpContender(bench.machinery, {
    name: 'Minaret',
    server: minaret,
    source: randomly(asked),
    bodyStart: '{"data":{',
  })
  const { figures } = await measure({ name, title, contenders: [contender] }, bench.options.timing, bench.progress)
  // Seconds for a thousand are milliseconds for one.
  return { title, serviceMs: figures[0]?.serverCpu ?? Number.NaN, databaseMs: figures[0]?.databaseCpu ?? Number.NaN }
}

const measureCosts = (bench: Bench): Promise<Cost[]> =>
  withServers(async started => {
    const minaret = await started(startMinaret({ ...bench.environment, ANSWER_CACHE_MB: '32' }))
    const costs: Cost[] = []
    for (const one of measured(bench)) costs.push(await requestCost(bench, minaret, one))
    costs.push(await pushCost(bench, minaret))
    costs.push(await signInCost(bench, minaret))
    return costs
  })

const publish = (costs: readonly Cost[]): void => {
  const day = new Date().toISOString().slice(0, 10)
  const text = `Measured on ${day}, as above:\n\n${costTable(costs)}`
  writeFileSync(PAGE, withPart(readFileSync(PAGE, 'utf8'), COSTS, text))
}

export const capacityGroup: Group = {
  name: 'capacity',
  run: async bench => {
    if (!bench.options.only.some(name => name.startsWith('capacity'))) return nothingFound
    // The load average still remembers how the data was loaded.
    const busy = signsOfWork({ ...(await sampleMachine()), load: 0 })
    const costs = await measureCosts(bench)
    console.log(`\n${costTable(costs)}`)
    if (bench.options.canJudge && busy.length === 0) publish(costs)
    else bench.remarks.push('docs/capacity.md is unchanged: that takes the full dataset and a quiet machine.')
    return nothingFound
  },
}
