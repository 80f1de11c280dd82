// Memory after an hour's worth of requests, replayed quickly, and after 100,000 different documents.
import { type Bench, type Group, nothingFound, withServers } from '../bench-frame.ts'
import { NUMBER_MARK, type Source } from '../load/job.ts'
import { jsonRequest } from '../load/request.ts'
import { jobFor } from '../measure/http-contender.ts'
import { peakMemoryOf, usageOf } from '../measure/process-usage.ts'
import { isChosen } from '../options.ts'
import type { Reading } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, graphqlRequests } from './graphql-requests.ts'
import { masjids, questions } from './questions.ts'

const PATH = '/v1/graphql'
const LONGEST_MS = 600_000

const replay = async (bench: Bench, minaret: Minaret, source: Source, most: number): Promise<void> => {
  const job = jobFor(minaret.port, source, { most, milliseconds: LONGEST_MS, bodyStart: ANSWER_START })
  await bench.machinery.generator.run(job)
}

/** 50 requests a second for an hour; a quick run replays a few minutes of it. */
const HOUR = 180_000

const everydayMix = ({ sizes, tenants }: Bench): Source => {
  const asked = questions(sizes).flatMap(({ query, variables }) =>
    graphqlRequests({ path: PATH, query, variables: variables.slice(0, 200), credential: tenants.key }),
  )
  return { kind: 'random', requests: asked }
}

const afterAnHour = async (bench: Bench): Promise<readonly Reading[]> =>
  withServers(async started => {
    const minaret = await started(startMinaret(bench.environment))
    const before = usageOf(minaret.pid).memory
    const most = bench.options.quick ? HOUR / 20 : HOUR
    bench.progress.step(`memory: replaying ${most} requests`)
    await replay(bench, minaret, everydayMix(bench), most)
    const { memory } = usageOf(minaret.pid)
    const note = `${most.toLocaleString('en-US')} requests; ${Math.round(before)} MiB at the start, ${Math.round(peakMemoryOf(minaret.pid))} at the peak`
    return [
      { name: 'memory.hour', title: "Memory after an hour's worth of requests", value: memory, unit: 'MiB', note },
    ]
  })

const differentDocument = ({ sizes, tenants }: Bench): Source => {
  const query = `query Q${NUMBER_MARK}($id: uuid!) { up_masjids_by_pk(id: $id) { a${''}: id name city } }`
  const request = jsonRequest(PATH, { query, variables: masjids(sizes)[0] }, { authorization: `Bearer ${tenants.key}` })
  return { kind: 'numbered', request, from: 1 }
}

const afterDocuments = async (bench: Bench): Promise<readonly Reading[]> =>
  withServers(async started => {
    const minaret = await started(startMinaret(bench.environment))
    bench.progress.step('memory: warming up')
    await replay(bench, minaret, everydayMix(bench), 5000)
    const before = usageOf(minaret.pid).memory
    const most = bench.options.quick ? 10_000 : 100_000
    bench.progress.step(`memory: ${most} different documents`)
    await replay(bench, minaret, differentDocument(bench), most)
    const value = usageOf(minaret.pid).memory - before
    const title = `Growth of memory by ${most.toLocaleString('en-US')} different documents`
    return [{ name: 'memory.documents', title, value, unit: 'MiB', note: `${Math.round(before)} MiB before` }]
  })

export const memoryGroup: Group = {
  name: 'memory',
  run: async bench => {
    if (!isChosen('memory', bench.options)) return nothingFound
    const readings = [...(await afterAnHour(bench)), ...(await afterDocuments(bench))]
    for (const { title, value } of readings) bench.progress.done(`${title}: ${value.toFixed(0)} MiB`)
    return { results: [], readings }
  },
}
