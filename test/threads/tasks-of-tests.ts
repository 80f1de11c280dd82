// A thread whose tasks behave well, badly, or not at all.
import { serveTasks } from '../../src/threads/serve-tasks.ts'

const spin = (): never => {
  for (;;);
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const MEGABYTE_OF_NUMBERS = 131_072

const tasks = {
  double: (number: number): number => number * 2,
  spin,
  hoard: (): number => {
    const kept: string[] = []
    for (;;) kept.push(`${kept.length} `.repeat(1000))
  },
  work: (milliseconds: number): void => {
    for (const end = cpuMs() + milliseconds; cpuMs() < end; );
  },
  keep: (megabytes: number): number =>
    Array.from({ length: megabytes }, (_, index) => new Array(MEGABYTE_OF_NUMBERS).fill(index + 0.5)).length,
  fail: (): never => {
    throw new Error('the reason')
  },
  die: (): never => process.exit(3),
}

export type TestTasks = typeof tasks

serveTasks(tasks)
