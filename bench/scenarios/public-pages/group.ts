// Public pages from memory, beside /healthz and a bare route that sends as many bytes; and again while rules of those masjids change.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../../bench-frame.ts'
import { announceTimes } from '../../data/announce.ts'
import { requestText } from '../../load/request.ts'
import { httpContender, jobFor } from '../../measure/http-contender.ts'
import type { Contender, Result, Scenario } from '../../measure/rounds.ts'
import { isChosen } from '../../options.ts'
import { BARE_ROUTE, HEALTH } from '../../report/bars.ts'
import { freePort, type Minaret, startMinaret } from '../../servers/minaret.ts'
import { type Server, startPeer } from '../../servers/server.ts'
import { startChangingRules } from './change-rules.ts'
import { bytesWhenKept, type Watched } from './kept.ts'
import { type Page, pageRequests, pages } from './pages.ts'

const GROUP = 'pages'
/** Twice is enough to be kept; checks begin with the first connection. */
const WARMING = 3

/** A change in every round. */
const LEAST_CHANGING_MS = 1000

interface Servers {
  readonly minaret: Minaret
  readonly bare: Server
}

const asking = (
  { machinery }: Bench,
  name: string,
  server: { pid: number; port: number },
  requests: readonly string[],
): Contender => httpContender(machinery, { name, server, source: () => ({ kind: 'random', requests }) })

const getting = (path: string): readonly string[] => [requestText({ method: 'GET', path })]

const quietScenario = (bench: Bench, { minaret, bare }: Servers, page: Page): Scenario => ({
  name: `${GROUP}.${page.name}`,
  title: `${page.title}, from memory`,
  contenders: [
    asking(bench, 'Minaret', minaret, pageRequests(page)),
    asking(bench, HEALTH, minaret, getting('/healthz')),
    asking(bench, BARE_ROUTE, bare, getting(`/${page.name}`)),
  ],
})

const atLeast = (contender: Contender, least: number): Contender => ({
  ...contender,
  run: milliseconds => contender.run(Math.max(milliseconds, least)),
})

const changingScenario = (bench: Bench, { minaret }: Servers, page: Page): Scenario => ({
  name: `${GROUP}.${page.name}-changing`,
  title: `${page.title}, while a rule changes once a second`,
  contenders: [
    atLeast(asking(bench, 'Minaret', minaret, pageRequests(page)), LEAST_CHANGING_MS),
    asking(bench, HEALTH, minaret, getting('/healthz')),
  ],
})

/** Every page is kept before the first round, or a short run would measure how pages are made. */
const warm = async ({ machinery }: Bench, server: Minaret, all: readonly Page[]): Promise<void> => {
  const once = all.flatMap(pageRequests)
  const requests = Array.from({ length: WARMING }, () => once).flat()
  await machinery.generator.run(jobFor(server.port, { kind: 'once', requests }))
}

const lengthsOf = async (server: Watched, all: readonly Page[]): Promise<Readonly<Record<string, number>>> => {
  const lengths: Record<string, number> = {}
  for (const page of all) lengths[`/${page.name}`] = await bytesWhenKept(server, page)
  return lengths
}

const measurePages = (bench: Bench): Promise<readonly Result[]> =>
  withServers(async started => {
    const metricsPort = await freePort()
    // Metrics show whether pages come from memory.
    const environment = { ...bench.environment, METRICS_PORT: String(metricsPort) }
    const minaret = await started(startMinaret(environment))
    await announceTimes(bench)
    const all = pages(bench.sizes)
    const lengths = await lengthsOf({ port: minaret.port, metricsPort }, all)
    await warm(bench, minaret, all)
    const bare = await started(startPeer({ name: BARE_ROUTE, file: './bare-route.ts', settings: { lengths } }))
    const servers = { minaret, bare }
    const quiet = await measureChosen(
      bench,
      all.map(page => quietScenario(bench, servers, page)),
    )
    await started(startChangingRules(bench))
    const changing = await measureChosen(
      bench,
      all.map(page => changingScenario(bench, servers, page)),
    )
    return [...quiet, ...changing]
  })

export const pagesGroup: Group = {
  name: GROUP,
  run: async bench => {
    if (!isChosen(GROUP, bench.options)) return nothingFound
    return { results: await measurePages(bench), readings: [] }
  },
}
