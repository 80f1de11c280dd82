// A job → its outcome: runs the connections for the given time and checks every response.
import { runConnection, type Watch } from './connection.ts'
import type { Job, Outcome } from './job.ts'
import { type Answer, bodyOf } from './response.ts'
import { fieldOf, requestsFrom } from './source.ts'

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

interface Tally {
  readonly latencies: number[]
  readonly collected: string[]
  faults: number
  firstFault: string | undefined
  bytes: number
  sent: number
}

const isAsExpected = (job: Job, answer: Answer): boolean => {
  if (answer.status !== job.status) return false
  if (job.bodyStart === '') return true
  if (answer.chunked) return bodyOf(answer).startsWith(job.bodyStart)
  return answer.bytes.toString('latin1', answer.bodyAt, answer.bodyAt + job.bodyStart.length) === job.bodyStart
}

const watchFor = (job: Job, tally: Tally, endsAt: number): Watch => {
  const fault = (words: string): void => {
    tally.faults += 1
    tally.firstFault ??= words
  }
  return {
    mayGoOn: () => tally.faults < 100 && tally.sent < job.most && performance.now() < endsAt && ++tally.sent > 0,
    failed: fault,
    answered: (milliseconds, answer) => {
      if (!isAsExpected(job, answer)) fault(`${answer.status} ${bodyOf(answer).slice(0, 300)}`)
      else if (job.collect !== undefined) tally.collected.push(fieldOf(bodyOf(answer), job.collect))
      tally.latencies.push(milliseconds)
      tally.bytes += answer.bytes.length
    },
  }
}

export const generate = async (job: Job): Promise<Outcome> => {
  const tally: Tally = { latencies: [], collected: [], faults: 0, firstFault: undefined, bytes: 0, sent: 0 }
  const next = requestsFrom(job.source)
  const cpuBefore = cpuSeconds()
  const startedAt = performance.now()
  const watch = watchFor(job, tally, startedAt + job.milliseconds)
  await Promise.all(Array.from({ length: job.connections }, (_, index) => runConnection(job, index, next, watch)))
  const seconds = (performance.now() - startedAt) / 1000
  const generatorCpu = cpuSeconds() - cpuBefore
  const sorted = Float64Array.from(tally.latencies).sort()
  const { faults, firstFault, bytes, collected } = tally
  const figures = { requests: sorted.length, seconds, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
  return { ...figures, faults, firstFault, bytes, generatorCpu, collected }
}
