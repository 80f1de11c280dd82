// DATA_DIR → the folder of the embedded PostgreSQL's data, recorded once chosen.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { thisPlatform } from '../../platform/this-platform.ts'
import { type Account, canReach } from './account.ts'
import { explainFileFault, StartFault } from './start-fault.ts'

export interface Home {
  readonly folder: string
  /** PostgreSQL's own data directory. */
  readonly data: string
  readonly log: string
  readonly passwordFile: string
  /** A folder owned by the server's account on the same disk, where new data is created. */
  readonly workshop: string
  /** Short enough for a Unix socket address, which holds 107 bytes, on macOS 103. */
  readonly sockets: string
}

const LONGEST_SOCKET_FOLDER = 80

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

const noteIn = (dataDir: string): string => join(dataDir, 'postgres-location')

const readNote = (dataDir: string): string | undefined =>
  existsSync(noteIn(dataDir)) ? readFileSync(noteIn(dataDir), 'utf8').trim() : undefined

/** Atomic: of two processes that start at once, one chooses, and the other reads its choice. */
const writeNote = (dataDir: string, folder: string): void => {
  const draft = `${noteIn(dataDir)}.${process.pid}`
  writeFileSync(draft, `${folder}\n`)
  try {
    linkSync(draft, noteIn(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}

/** A new name each time: data left there by an earlier installation at the same path has another secret. */
const chooseFolder = (dataDir: string, account: Account | undefined): string => {
  const known = readNote(dataDir)
  if (known !== undefined) return known
  if (canReach(dataDir, account)) return dataDir
  writeNote(dataDir, join(thisPlatform.stateFolder, randomBytes(6).toString('hex')))
  const folder = readNote(dataDir) as string
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  return folder
}

const describe = (folder: string): Home => {
  const sockets = join(folder, 'socket')
  return {
    folder,
    data: join(folder, 'postgres'),
    log: join(folder, 'postgres.log'),
    passwordFile: join(folder, 'postgres.password'),
    workshop: join(folder, 'workshop'),
    sockets:
      Buffer.byteLength(sockets) <= LONGEST_SOCKET_FOLDER ? sockets : join('/tmp', `minaret-${fingerprint(folder)}`),
  }
}

/** Where the data is, for a command that looks for a running service. Creates nothing. */
export const findHome = (dataDir: string): Home => describe(readNote(dataDir) ?? dataDir)

/** Windows disks in WSL, and some that are shared with a virtual machine, ignore `chmod`; PostgreSQL refuses such folders. */
export const isPrivate = (mode: number): boolean => (mode & 0o777) === 0o700

/** Accessible only to the server's account; a folder owned by somebody else under a guessable name is refused. */
const makeOwn = (folder: string, account: Account | undefined): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const status = lstatSync(folder)
  const ours = [process.getuid?.(), account?.uid].includes(status.uid)
  if (!status.isDirectory() || !ours)
    throw new StartFault(`The folder ${folder} belongs to somebody else. Remove it, or set DATA_DIR to another folder.`)
  chmodSync(folder, 0o700)
  if (!isPrivate(lstatSync(folder).mode))
    throw new StartFault(
      `The folder ${folder} is on a disk without Unix permissions, such as a Windows disk in WSL. Set DATA_DIR to a folder of your own system.`,
    )
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
}

export const prepareHome = (dataDir: string, account: Account | undefined): Home => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 })
    const home = describe(chooseFolder(dataDir, account))
    for (const folder of [home.sockets, home.workshop]) makeOwn(folder, account)
    return home
  } catch (error) {
    throw explainFileFault(dataDir, error)
  }
}

/** A separate socket folder, which a long path needs, is removed with its server. */
export const removeSockets = (home: Home): void => {
  if (!home.sockets.startsWith(home.folder)) rmSync(home.sockets, { recursive: true, force: true })
}
