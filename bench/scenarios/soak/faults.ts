// What happens to processes and databases in their life, each over within a few seconds.
import { setTimeout as delay } from 'node:timers/promises'
import { withClient } from '../../../src/db/with-client.ts'
import type { Bench } from '../../bench-frame.ts'
import { descendantsOf } from '../../measure/process-usage.ts'
import type { Minaret } from '../../servers/minaret.ts'

interface Injected {
  readonly name: string
  /** Resolves when the fault itself is over. */
  inject(bench: Bench, minaret: Minaret): Promise<void>
}

const FROZEN_MS = 3000
const LOCKED_MS = 2000

const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch (error) {
      // It may end between being listed and being signalled.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}

const cutConnections = ({ database }: Bench): Promise<void> =>
  withClient(database, async client => {
    await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'minaret%' and pid <> pg_backend_pid()`)
  })

const freeze = async ({ cluster }: Bench): Promise<void> => {
  const pids = [cluster.pid, ...descendantsOf(cluster.pid)]
  signal(pids, 'SIGSTOP')
  await delay(FROZEN_MS)
  signal(pids, 'SIGCONT')
}

const lockTable = ({ database }: Bench): Promise<void> =>
  withClient(database, async client => {
    await client.query('begin; lock table up_masjids in access exclusive mode')
    await delay(LOCKED_MS)
    await client.query('rollback')
  })

/** One of the workers; another takes its place. */
const killWorker = async (_bench: Bench, { pid }: Minaret): Promise<void> => {
  const [worker] = descendantsOf(pid)
  if (worker === undefined) throw new Error('Minaret has no workers')
  signal([worker], 'SIGKILL')
}

export const faults: readonly Injected[] = [
  { name: 'every connection to the database is cut', inject: cutConnections },
  { name: 'a table is locked for two seconds', inject: lockTable },
  { name: 'a process is killed', inject: killWorker },
  { name: 'the database is frozen for three seconds', inject: freeze },
]
