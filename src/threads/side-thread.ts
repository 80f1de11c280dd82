// Work on what people send → its results, on a thread beside the one that serves. A task that takes too long or too much memory is
// ended with its thread, and nobody but its sender is held up: senders take turns.
import { Worker } from 'node:worker_threads'
import { createFairTurns } from '../base/fair-turns.ts'
import { limitTask } from './limit-task.ts'
import type { Answered, Asked, Tasks } from './serve-tasks.ts'
import { TookTooMuch } from './took-too-much.ts'

export interface SideThreadRule {
  readonly script: URL
  readonly name: string
  /** Of the thread's own CPU time, so that a busy machine makes no task too long. */
  readonly mostCpuMs?: number
}

export interface SideThread<Table extends Tasks> {
  /**
   * @param sender who takes turns with others, such as a masjid's id
   * @throws {TookTooMuch}
   * @throws {Fault} if too many wait
   */
  run<Name extends keyof Table & string>(
    sender: string,
    name: Name,
    input: Parameters<Table[Name]>[0],
  ): Promise<Awaited<ReturnType<Table[Name]>>>
  end(): Promise<void>
}

const MOST_CPU_MS = 2000
/** Loading a thread takes a tenth of a second of CPU time, so it waits a minute for the next task. */
const KEPT_MS = 60_000
const HEAP_MB = 192
const turnsRule = { atOnce: 1, atOnceEach: 1, mostWaiting: 100, mostWaitingEach: 20, mostMs: 30_000 }

const start = ({ script, name }: SideThreadRule): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(script, { name, resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } })
    worker.once('message', () => resolve(worker))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error(`the thread "${name}" ended before it was ready`)))
  })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'

/** One task on a thread that is ready. */
const ask = async (worker: Worker, asked: Asked, mostCpuMs: number): Promise<unknown> => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>()
  const onMessage = (answered: Answered): void => {
    if (answered.kind === 'done') resolve(answered.result)
    if (answered.kind === 'failed') reject(new Error(`the task "${asked.name}" failed`, { cause: answered.cause }))
  }
  const onError = (error: unknown): void => reject(isOutOfMemory(error) ? new TookTooMuch('memory') : error)
  const onExit = (): void => reject(new Error('the thread of a task ended early'))
  worker.on('message', onMessage).on('error', onError).on('exit', onExit)
  worker.ref()
  const lift = await limitTask(worker, mostCpuMs, () => reject(new TookTooMuch('time')))
  try {
    worker.postMessage(asked)
    return await promise
  } finally {
    lift()
    worker.off('message', onMessage).off('error', onError).off('exit', onExit)
    worker.unref()
  }
}

export const createSideThread = <Table extends Tasks>(rule: SideThreadRule): SideThread<Table> => {
  const turns = createFairTurns(turnsRule)
  let kept: Worker | undefined
  let timer: NodeJS.Timeout | undefined

  const dismiss = async (): Promise<void> => {
    clearTimeout(timer)
    const worker = kept
    kept = undefined
    await worker?.terminate()
  }

  const take = async (): Promise<Worker> => {
    clearTimeout(timer)
    if (kept !== undefined) return kept
    const worker = await start(rule)
    kept = worker
    // Whoever waits for a task is told; afterwards nobody is, and an error that nobody hears would end the process.
    worker.on('error', () => undefined)
    worker.once('exit', () => {
      if (kept === worker) kept = undefined
    })
    return worker
  }

  const runHere = async (name: string, input: unknown): Promise<unknown> => {
    const worker = await take()
    try {
      return await ask(worker, { name, input }, rule.mostCpuMs ?? MOST_CPU_MS)
    } catch (error) {
      // Whatever it still does, nobody waits for it; native code is not interrupted, so its end is not waited for either.
      if (error instanceof TookTooMuch) void dismiss()
      throw error
    } finally {
      timer = setTimeout(() => void dismiss(), KEPT_MS).unref()
    }
  }

  return {
    run: (sender, name, input) => turns.run(sender, () => runHere(name, input)) as never,
    end: dismiss,
  }
}
