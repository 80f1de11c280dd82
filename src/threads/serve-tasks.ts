// In a side thread: tasks by name → their results, one at a time, until the thread is ended.
import { parentPort } from 'node:worker_threads'

/** Each takes one plain value and returns another: both are copied between the threads. */
export type Tasks = Readonly<Record<string, (input: never) => unknown>>

export interface Asked {
  readonly name: string
  readonly input: unknown
}

export type Answered =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly cause: string }

const tell = (answered: Answered): void => parentPort?.postMessage(answered)

const answer = async (tasks: Tasks, { name, input }: Asked): Promise<Answered> => {
  try {
    const task = tasks[name]
    if (task === undefined) throw new Error(`no such task: ${name}`)
    return { kind: 'done', result: await task(input as never) }
  } catch (error) {
    return { kind: 'failed', cause: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

export const serveTasks = (tasks: Tasks): void => {
  parentPort?.on('message', (asked: Asked) => void answer(tasks, asked).then(tell))
  tell({ kind: 'ready' })
}
