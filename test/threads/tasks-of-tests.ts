// A thread whose tasks behave well, badly, or not at all.
import { serveTasks } from '../../src/threads/serve-tasks.ts'

const spin = (): never => {
  for (;;);
}

const tasks = {
  double: (number: number): number => number * 2,
  spin,
  hoard: (): number => {
    const kept: string[] = []
    for (;;) kept.push(`${kept.length} `.repeat(1000))
  },
  fail: (): never => {
    throw new Error('the reason')
  },
  die: (): never => process.exit(3),
}

export type TestTasks = typeof tasks

serveTasks(tasks)
