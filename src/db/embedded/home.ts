// DATA_DIR → the folder where the embedded PostgreSQL keeps its data, remembered once chosen.
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canReach } from './account.ts'
import { explainFileFault } from './start-fault.ts'

export interface Home {
  readonly folder: string
  /** PostgreSQL's own data directory. */
  readonly data: string
  readonly log: string
  readonly passwordFile: string
  /** Short enough for the address of a Unix socket, which holds 107 bytes. */
  readonly sockets: string
}

const LONGEST_SOCKET_FOLDER = 80

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const chooseFolder = (dataDir: string, account: Account | undefined): string => {
  const note = join(dataDir, 'postgres-location')
  if (existsSync(note)) return readFileSync(note, 'utf8').trim()
  if (canReach(dataDir, account)) return dataDir
  const folder = join('/var/lib/minaret', fingerprint(dataDir))
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  writeFileSync(note, `${folder}\n`)
  return folder
}

const describe = (folder: string): Home => {
  const sockets = join(folder, 'socket')
  return {
    folder,
    data: join(folder, 'postgres'),
    log: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'postgres.password'),
    sockets:
      Buffer.byteLength(sockets) <= LONGEST_SOCKET_FOLDER ? sockets : join('/tmp', `minaret-${fingerprint(folder)}`),
  }
}

/** Where the data are, for a command that looks for a running service; makes nothing. */
export const findHome = (dataDir: string): Home => {
  const note = join(dataDir, 'postgres-location')
  return describe(existsSync(note) ? readFileSync(note, 'utf8').trim() : dataDir)
}

export const prepareHome = (dataDir: string, account: Account | undefined): Home => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    const home = describe(chooseFolder(dataDir, account))
    mkdirSync(home.sockets, { recursive: true, mode: 0o700 })
    chmodSync(home.sockets, 0o700)
    if (account !== undefined) chownSync(home.sockets, account.uid, account.gid)
    return home
  } catch (error) {
    throw explainFileFault(dataDir, error)
  }
}
