// A data folder in which the service has run before, with its embedded PostgreSQL. The first start is the slowest part of
// many tests, so one is made per run, beside the run's own cluster, and copied.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { startCluster } from '../../src/db/embedded/cluster.ts'
import { withClient } from '../../src/db/with-client.ts'
import { adminConnection, asAdmin } from './database.ts'
import { startMinaretProcess, temporaryFolder } from './process.ts'
import { markSandboxFilled } from './sandbox-template.ts'

const FOLDER_LOCK = 6_206_151

const startOnce = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  chmodSync(folder, 0o711)
  const first = await startMinaretProcess({ DATA_DIR: folder, DEMO_DATA: 'off' })
  const status = await first.stop()
  if (status !== 0) throw new Error(`The first start failed: ${first.output()}`)
  const { connection, stop } = await startCluster(folder)
  await withClient(connection, client => client.query(markSandboxFilled)).finally(stop)
}

const usedFolder = (): Promise<string> =>
  asAdmin(async client => {
    const folder = join(dirname(String(adminConnection().host)), 'used')
    await client.query('select pg_advisory_lock($1)', [FOLDER_LOCK])
    if (!existsSync(folder)) {
      await startOnce(`${folder}-unfinished`)
      renameSync(`${folder}-unfinished`, folder)
    }
    return folder
  })

/** Copies it into an existing folder. Its sandbox has rows, but no times. */
export const copyUsedFolder = async (to: string): Promise<void> =>
  void execFileSync('cp', ['-a', '--reflink=auto', `${await usedFolder()}/.`, to])

/** A copy, which the caller removes. */
export const temporaryUsedFolder = async (): Promise<ReturnType<typeof temporaryFolder>> => {
  const folder = temporaryFolder()
  await copyUsedFolder(folder.path)
  return folder
}
