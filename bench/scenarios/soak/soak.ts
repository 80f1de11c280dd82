// Mixed traffic for ten minutes at 70 % of capacity, while faults happen to the service and its database: no error outside their
// windows, memory stays flat, and afterwards responses are as quick as before. Only run by `--only soak`; `--minutes` says how long.
import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Group, nothingFound, withServers } from '../../bench-frame.ts'
import { usageOf } from '../../measure/process-usage.ts'
import { type Minaret, startMinaret } from '../../servers/minaret.ts'
import { masjidId } from '../questions.ts'
import { faults } from './faults.ts'
import { type Followers, openFollowers } from './followers.ts'
import { type Course, judgeCourse, type Span, WINDOW_MS } from './judge-course.ts'
import { mixOf } from './mix.ts'
import { startTraffic } from './traffic.ts'

const SHARE_OF_CAPACITY = 0.7
/** This process sends the traffic, and would be measured beyond that. */
const MOST_PER_SECOND = 2000
const CAPACITY_MS = 15_000
const AT_ONCE = 64
const WORKERS = 2
const SOCKETS = 10
const PER_SOCKET = 20

/** With the same sender, whose share of the processors belongs to what this machine can do. */
const capacityOf = async (bench: Bench, { port }: Minaret): Promise<number> => {
  const traffic = startTraffic({ port, pace: { atOnce: AT_ONCE }, next: mixOf(bench) })
  // What is measured first also warms up: plans, prepared statements, answers in memory.
  await delay(CAPACITY_MS)
  const before = traffic.count
  await delay(CAPACITY_MS)
  const answered = traffic.count - before
  await traffic.stop()
  return (answered * 1000) / CAPACITY_MS
}

const until = (moment: number): Promise<void> => delay(Math.max(0, moment - performance.now()))

/** Parts of the whole: the faults come in the middle, so that there is about as much to compare before them as after. */
const FIRST_FAULT = 0.35
const NEXT_FAULT = 0.08

const injectFaults = async (bench: Bench, minaret: Minaret, began: number, milliseconds: number): Promise<Span[]> => {
  const spans: Span[] = []
  for (const [index, { name, inject }] of faults.entries()) {
    await until(began + (FIRST_FAULT + index * NEXT_FAULT) * milliseconds)
    bench.progress.step(`soak: ${name}`)
    const from = performance.now() - began
    await inject(bench, minaret)
    spans.push({ from, to: performance.now() - began })
  }
  return spans
}

const runCourse = async (bench: Bench, minaret: Minaret, followers: Followers, perSecond: number): Promise<Course> => {
  const milliseconds = bench.options.minutes * 60_000
  const began = performance.now()
  const traffic = startTraffic({ port: minaret.port, pace: { perSecond }, next: mixOf(bench) })
  const memory: number[] = []
  const sampling = setInterval(() => memory.push(usageOf(minaret.pid).memory), 1000)
  try {
    const spans = await injectFaults(bench, minaret, began, milliseconds)
    await delay(WINDOW_MS)
    followers.forget()
    await until(began + milliseconds)
    return { answered: traffic.answered(), faults: spans, memory, milliseconds, silent: followers.silent() }
  } finally {
    clearInterval(sampling)
    await traffic.stop()
  }
}

const soak = async (bench: Bench, minaret: Minaret) => {
  const { key } = bench.tenants
  const followers = openFollowers({
    port: minaret.port,
    key,
    masjid: masjidId(1),
    sockets: SOCKETS,
    perSocket: PER_SOCKET,
  })
  try {
    const capacity = await capacityOf(bench, minaret)
    const perSecond = Math.min(MOST_PER_SECOND, capacity * SHARE_OF_CAPACITY)
    const pace = `${Math.round(perSecond)} a second of ${Math.round(capacity)} that were possible`
    bench.progress.step(`soak: ${pace}, for ${bench.options.minutes} minutes`)
    return judgeCourse(await runCourse(bench, minaret, followers, perSecond), pace)
  } finally {
    followers.close()
  }
}

export const soakGroup: Group = {
  name: 'soak',
  run: async bench => {
    if (!bench.options.only.some(name => name.startsWith('soak'))) return nothingFound
    return withServers(async started => {
      const environment = { ...bench.environment, WORKERS: String(WORKERS), ANSWER_CACHE_MB: '32' }
      const readings = await soak(bench, await started(startMinaret(environment)))
      for (const { title, value, unit } of readings) bench.progress.done(`${title}: ${value.toFixed(2)} ${unit}`)
      return { results: [], readings }
    })
  },
}
