// What happened in a soak → its figures: errors outside the windows of faults, growth of memory, how long it took to recover, how
// quick it was afterwards. Requests keep coming at their pace, so the backlog of a fault must be worked off first: after a
// standstill of three seconds at 70 % of capacity, that takes at least seven.
import { median, percentile } from '../../measure/statistics.ts'
import type { Reading } from '../../report/bars.ts'
import type { Answered } from './traffic.ts'

/** In milliseconds since the traffic began. */
export interface Span {
  readonly from: number
  readonly to: number
}

export interface Course {
  readonly answered: readonly Answered[]
  /** From the beginning of each fault to its end. */
  readonly faults: readonly Span[]
  /** Resident, in MiB, once a second. */
  readonly memory: readonly number[]
  readonly milliseconds: number
  /** How many sockets with subscriptions heard nothing after the faults. */
  readonly silent: number
}

/** A request that was sent just before a fault meets it. */
const BEFORE_MS = 1000
/** The deadline of a request, and some time for connections to be opened. */
export const WINDOW_MS = 8000
const WARM_UP = 0.1
/** How many failures the report shows. */
const MOST_NAMED = 50

const windowsOf = ({ faults }: Course): readonly Span[] =>
  faults.map(({ from, to }) => ({ from: from - BEFORE_MS, to: to + WINDOW_MS }))

const isWithin = (spans: readonly Span[], { at }: Answered): boolean =>
  spans.some(({ from, to }) => at >= from && at < to)

const timesOf = (answered: readonly Answered[]): readonly number[] => answered.map(({ milliseconds }) => milliseconds)

const p99 = (answered: readonly Answered[]): number => percentile(timesOf(answered), 99)

const SECOND_MS = 1000

/** When requests are answered as usual again: the p95 of those sent in a second is at most the p99 from before. */
const recoveredAt = ({ answered, milliseconds }: Course, { to }: Span, usualMs: number): number => {
  const seconds = Map.groupBy(
    answered.filter(({ at }) => at >= to),
    ({ at }) => Math.floor((at - to) / SECOND_MS),
  )
  for (let second = 0; to + second * SECOND_MS < milliseconds; second += 1) {
    if (percentile(timesOf(seconds.get(second) ?? []), 95) <= usualMs) return to + second * SECOND_MS
  }
  return milliseconds
}

/** The median of the last fifth after the warm-up, over that of the first. */
const growthOf = (memory: readonly number[]): number => {
  const settled = memory.slice(Math.ceil(memory.length * WARM_UP))
  const fifth = Math.max(1, Math.floor(settled.length / 5))
  return (median(settled.slice(-fifth)) / median(settled.slice(0, fifth)) - 1) * 100
}

export const judgeCourse = (course: Course, pace: string): readonly Reading[] => {
  const { answered, faults, memory, milliseconds, silent } = course
  const windows = windowsOf(course)
  const failed = answered.filter(({ status }) => status !== 200)
  const outside = failed.filter(one => !isWithin(windows, one))
  const firstFault = windows[0]?.from ?? milliseconds
  const before = p99(answered.filter(({ at }) => at >= milliseconds * WARM_UP && at < firstFault))
  const recoveries = faults.map(fault => ({ fault, at: recoveredAt(course, fault, before) }))
  const calmFrom = Math.max(windows.at(-1)?.to ?? 0, ...recoveries.map(({ at }) => at))
  const afterwards = p99(answered.filter(({ at }) => at >= calmFrom))
  const seen = outside.slice(0, MOST_NAMED).map(({ at, status }) => `${status} at ${Math.round(at / 1000)} s`)
  const note = `${answered.length.toLocaleString('en-US')} requests, ${pace}; ${failed.length - outside.length} failed within the windows of ${faults.length} faults${seen.length === 0 ? '' : `; outside of them: ${[...new Set(seen)].join(', ')}`}`
  return [
    {
      name: 'soak.errors',
      title: 'Soak: failed requests outside the windows of faults',
      value: outside.length,
      unit: '',
      note,
    },
    {
      name: 'soak.memory',
      title: 'Soak: growth of memory after the warm-up',
      value: growthOf(memory),
      unit: '%',
      note: `${Math.round(median(memory))} MiB`,
    },
    {
      name: 'soak.recovery',
      title: 'Soak: the longest time from the end of a fault until its backlog was worked off',
      value: Math.max(...recoveries.map(({ fault, at }) => at - fault.to)) / SECOND_MS,
      unit: 's',
      note: recoveries.map(({ fault, at }) => `${Math.round((at - fault.to) / SECOND_MS)} s`).join(', '),
    },
    {
      name: 'soak.p99',
      title: 'Soak: p99 after the faults, against before',
      value: afterwards / before,
      unit: '×',
      note: `${before.toFixed(1)} ms before, ${afterwards.toFixed(1)} ms afterwards`,
    },
    {
      name: 'soak.silent',
      title: 'Soak: sockets whose subscriptions are silent after the faults',
      value: silent,
      unit: '',
    },
  ]
}
