// The user that runs PostgreSQL: this one, or, since PostgreSQL refuses root, an existing unprivileged one.
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { thisPlatform } from '../../platform/this-platform.ts'
import { StartFault } from './start-fault.ts'

export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const readAccounts = (): Account[] =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name = '', , uid = '', gid = '']) => ({ name, uid: Number(uid), gid: Number(gid) }))

/** Undefined if the process itself may run PostgreSQL. */
export const unprivilegedAccount = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readAccounts()
  const found = thisPlatform.accounts
    .map(name => accounts.find(account => account.name === name))
    .find(account => account !== undefined)
  if (found === undefined) {
    throw new StartFault(
      `PostgreSQL does not run as root, and this machine has no user ${thisPlatform.accounts.map(name => `"${name}"`).join(' or ')}. Start Minaret as an ordinary user, or set DATABASE_URL.`,
    )
  }
  return found
}

const mayPass = (folder: string, account: Account): boolean => {
  const { mode, uid, gid } = statSync(folder)
  if (uid === account.uid) return (mode & 0o100) !== 0
  if (gid === account.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

/** Whether the account may enter every folder on the way to `path`. We create folders that do not exist yet. */
export const canReach = (path: string, account: Account | undefined): boolean => {
  if (account === undefined) return true
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    try {
      accessSync(folder, constants.F_OK)
      if (!mayPass(folder, account)) return false
    } catch {
      // It does not exist yet.
    }
    if (folder === dirname(folder)) return true
  }
}
