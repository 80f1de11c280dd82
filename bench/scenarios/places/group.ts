// Times of places at /v1/times: from memory beside /healthz, calculated beside adhan in a bare route; and, in this process, what a
// year of one place takes, and finding a time zone.
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../../bench-frame.ts'
import { NUMBER_MARK } from '../../load/job.ts'
import { requestText } from '../../load/request.ts'
import { httpContender, jobFor } from '../../measure/http-contender.ts'
import type { Scenario } from '../../measure/rounds.ts'
import { isChosen } from '../../options.ts'
import { ADHAN_ROUTE, HEALTH } from '../../report/bars.ts'
import { type Minaret, startMinaret } from '../../servers/minaret.ts'
import { type Server, startPeer } from '../../servers/server.ts'
import { measureInProcess } from './in-process.ts'

const GROUP = 'places'
const WARMING = 3

const getting = (path: string): string => requestText({ method: 'GET', path })

/** What apps ask for again and again: a day of a large city. */
const cities = ['21.42&longitude=39.83', '30.04&longitude=31.24', '41.01&longitude=28.98', '59.91&longitude=10.75']
const often = cities.map(city => getting(`/v1/times?latitude=${city}&date=2027-06-21`))

/** A place that nobody has asked about. */
const once = getting(
  `/v1/times?latitude=40.${NUMBER_MARK}&longitude=29&date=2027-06-21&time_zone=Europe/Istanbul&method=MuslimWorldLeague`,
)

const numbered = () => {
  let from = 0
  return () => {
    from += 1_000_000
    return { kind: 'numbered', request: once, from } as const
  }
}

const scenarios = ({ machinery }: Bench, minaret: Minaret, peer: Server): readonly Scenario[] => [
  {
    name: `${GROUP}.memory`,
    title: 'Times of a place on a day, from memory',
    contenders: [
      httpContender(machinery, {
        name: 'Minaret',
        server: minaret,
        source: () => ({ kind: 'random', requests: often }),
      }),
      httpContender(machinery, {
        name: HEALTH,
        server: minaret,
        source: () => ({ kind: 'random', requests: [getting('/healthz')] }),
      }),
    ],
  },
  {
    name: `${GROUP}.calculated`,
    title: 'Times of a place on a day, calculated, in a zone that is named',
    contenders: [
      httpContender(machinery, { name: 'Minaret', server: minaret, source: numbered(), bodyStart: '{"time_zone"' }),
      httpContender(machinery, { name: ADHAN_ROUTE, server: peer, source: numbered(), bodyStart: '{"days"' }),
    ],
  },
]

const warm = async ({ machinery }: Bench, { port }: Minaret): Promise<void> => {
  const requests = Array.from({ length: WARMING }, () => often).flat()
  await machinery.generator.run(jobFor(port, { kind: 'once', requests }))
}

export const placesGroup: Group = {
  name: GROUP,
  run: async bench => {
    if (!isChosen(GROUP, bench.options)) return nothingFound
    return withServers(async started => {
      const minaret = await started(startMinaret(bench.environment))
      const peer = await started(startPeer({ name: ADHAN_ROUTE, file: './adhan-route.ts', settings: {} }))
      await warm(bench, minaret)
      const results = await measureChosen(bench, scenarios(bench, minaret, peer))
      return { results, readings: await measureInProcess(bench.options.quick) }
    })
  },
}
