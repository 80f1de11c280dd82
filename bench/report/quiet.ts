// /proc → whether the machine does other work than the benchmark. Figures from a busy machine are not published.
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'

/** Clock ticks since boot, over all cores. */
export interface CpuTicks {
  readonly total: number
  readonly busy: number
  /** Time this machine was ready to run but the host ran another one. */
  readonly stolen: number
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal; guest times are part of user time. */
export const parseCpuTicks = (stat: string): CpuTicks => {
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, stolen = 0] =
    /^cpu +(.*)$/m.exec(stat)?.[1]?.split(' ').map(Number) ?? []
  const busy = user + nice + system + irq + soft
  return { total: busy + idle + wait + stolen, busy, stolen }
}

export const readCpuTicks = (): CpuTicks => parseCpuTicks(readFileSync('/proc/stat', 'utf8'))

const TICKS_PER_SECOND = 100

export interface Quietness {
  /** The share of CPU time used by other processes. */
  readonly others: number
  readonly stolen: number
  /** Runnable processes per core before the benchmark started; 0 if measured later. */
  readonly load: number
}

/** Between two readings, given the CPU seconds the benchmark itself used. */
export const quietnessBetween = (from: CpuTicks, to: CpuTicks, ownSeconds: number): Quietness => {
  const total = Math.max(1, to.total - from.total)
  const others = to.busy - from.busy - ownSeconds * TICKS_PER_SECOND
  return { others: Math.max(0, others) / total, stolen: (to.stolen - from.stolen) / total, load: 0 }
}

const MOST: Quietness = { others: 0.05, stolen: 0.02, load: 0.5 }

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** One phrase for each sign of other work; empty on a quiet machine. */
export const signsOfWork = ({ others, stolen, load }: Quietness): readonly string[] => [
  ...(others > MOST.others ? [`other processes used ${percent(others)} of the CPU`] : []),
  ...(stolen > MOST.stolen ? [`the host took ${percent(stolen)} of it away`] : []),
  ...(load > MOST.load ? [`the load average was ${load.toFixed(1)} for each core`] : []),
]

const SAMPLE_MS = 3000

/** Called before anything is started. */
export const sampleMachine = async (): Promise<Quietness> => {
  const from = readCpuTicks()
  await delay(SAMPLE_MS)
  return { ...quietnessBetween(from, readCpuTicks(), 0), load: (loadavg()[0] ?? 0) / cpus().length }
}
