// A V8 CPU profile → time per function during its last seconds.
import { readFileSync } from 'node:fs'

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
}

interface Profile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
  readonly endTime: number
  readonly startTime: number
}

export interface HotFunction {
  readonly name: string
  readonly place: string
  /** Share of the non-idle time. */
  readonly share: number
}

const placeOf = ({ url, lineNumber }: ProfileNode['callFrame']): string =>
  url === '' ? '' : `${url.replace(/^.*\/(node_modules\/|src\/)/, '$1')}:${lineNumber + 1}`

/** Microseconds per node id, of the last part of the profile: the program's start-up is of no interest. */
const recentTimes = ({ samples, timeDeltas, startTime, endTime }: Profile, seconds: number): Map<number, number> => {
  const times = new Map<number, number>()
  let now = startTime
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0
    now += delta
    if (now > endTime - seconds * 1e6) times.set(id, (times.get(id) ?? 0) + delta)
  })
  return times
}

const IDLE = new Set(['(idle)', '(program)', '(root)'])

export const hottestFunctions = (file: string, seconds: number, most: number): readonly HotFunction[] => {
  const profile = JSON.parse(readFileSync(file, 'utf8')) as Profile
  const times = recentTimes(profile, seconds)
  const sums = new Map<string, { name: string; place: string; time: number }>()
  for (const { id, callFrame } of profile.nodes) {
    const place = placeOf(callFrame)
    const name = callFrame.functionName || '(anonymous)'
    if (IDLE.has(name)) continue
    const sum = sums.get(`${name} ${place}`) ?? { name, place, time: 0 }
    sums.set(`${name} ${place}`, { ...sum, time: sum.time + (times.get(id) ?? 0) })
  }
  const total = [...sums.values()].reduce((sum, { time }) => sum + time, 0)
  return [...sums.values()]
    .sort((a, b) => b.time - a.time)
    .slice(0, most)
    .map(({ name, place, time }) => ({ name, place, share: time / total }))
}
