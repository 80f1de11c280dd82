// An empty home → a complete PostgreSQL data directory in it, or none.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { thisPlatform } from '../../platform/this-platform.ts'
import { childOptions, give, type Plan } from './plan.ts'

const flags = (home: Plan['home'], target: string, ctype: string): string[] => [
  `--pgdata=${target}`,
  '--username=minaret',
  `--pwfile=${home.passwordFile}`,
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  `--lc-ctype=${ctype}`,
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

/** Created in a separate folder and moved into place, so that an interrupted start leaves nothing half done. */
export const initialise = async (plan: Plan): Promise<void> => {
  const { home, account, programs } = plan
  if (existsSync(join(home.data, 'PG_VERSION'))) return
  writeFileSync(home.passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  chmodSync(home.passwordFile, 0o600)
  give(home.passwordFile, account)
  // Not beside the sockets: those may be on another disk, and a move between disks is not atomic.
  const unfinished = join(home.workshop, 'new-data')
  const initdb = async (ctype: string): Promise<void> => {
    rmSync(unfinished, { recursive: true, force: true })
    const options = { ...childOptions(plan), encoding: 'utf8' as const }
    await promisify(execFile)(join(programs, 'initdb'), flags(home, unfinished, ctype), options)
  }
  // Similarity search asks the system which characters are letters. Not every system has the first locale.
  const [best = 'C', otherwise = 'C'] = thisPlatform.characterTypes
  await initdb(best).catch(() => initdb(otherwise))
  renameSync(unfinished, home.data)
}
