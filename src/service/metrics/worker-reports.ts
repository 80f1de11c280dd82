// Several processes → one scrape. The first process asks every worker for its figures, and adds them up.
import cluster, { type Worker } from 'node:cluster'
import type { Family } from '../../metrics/family.ts'
import { sumReports } from '../../metrics/write-text.ts'

interface Asked {
  readonly kind: 'metrics asked'
  readonly id: number
}

interface Report {
  readonly kind: 'metrics report'
  readonly id: number
  readonly families: readonly Family[]
}

/** In a worker: answers the first process. */
export const reportToFirst = (report: () => Promise<readonly Family[]>): void => {
  process.on('message', async ({ kind, id }: Asked) => {
    if (kind !== 'metrics asked') return
    const families = await report().catch(() => [])
    process.send?.({ kind: 'metrics report', id, families } satisfies Report)
  })
}

export interface WorkerReports {
  collect(): Promise<readonly (readonly Family[])[]>
  close(): void
}

/** A worker that is busier than this is shown as it was at the last scrape. */
const PATIENCE_MS = 1000

const onlyGrowing = (families: readonly Family[]): Family[] => families.filter(({ type }) => type !== 'gauge')

/** In the first process. Counts never go down: what a worker had counted stays in the sum after it has ended. */
export const collectFromWorkers = (): WorkerReports => {
  const last = new Map<number, readonly Family[]>()
  let ended: Promise<readonly Family[]> = Promise.resolve([])
  let asked = 0
  let waiting: { readonly id: number; readonly missing: Set<number>; readonly done: () => void } | undefined

  const onMessage = ({ id: from }: Worker, { kind, id, families }: Report): void => {
    if (kind !== 'metrics report' || families.length === 0) return
    last.set(from, families)
    if (id !== waiting?.id) return
    waiting.missing.delete(from)
    if (waiting.missing.size === 0) waiting.done()
  }

  const onExit = ({ id }: Worker): void => {
    const families = last.get(id)
    last.delete(id)
    if (families !== undefined) ended = ended.then(before => sumReports([before, onlyGrowing(families)]))
  }

  const ask = (): Promise<void> =>
    new Promise(resolve => {
      asked += 1
      const workers = Object.values(cluster.workers ?? {}).filter(worker => worker?.isConnected() === true)
      const timer = setTimeout(resolve, PATIENCE_MS)
      const done = (): void => {
        clearTimeout(timer)
        resolve()
      }
      waiting = { id: asked, missing: new Set(workers.map(worker => worker?.id ?? 0)), done }
      if (workers.length === 0) done()
      for (const worker of workers) worker?.send({ kind: 'metrics asked', id: asked } satisfies Asked)
    })

  cluster.on('message', onMessage)
  cluster.on('exit', onExit)
  return {
    collect: async () => {
      await ask()
      return [await ended, ...last.values()]
    },
    close: () => void cluster.off('message', onMessage).off('exit', onExit),
  }
}
