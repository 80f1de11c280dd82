// What is needed to start a server: where, as which user, with which programs and settings.
import { chownSync } from 'node:fs'
import type { Account } from './account.ts'
import type { Home } from './home.ts'

export interface Plan {
  readonly home: Home
  readonly account: Account | undefined
  /** The folder that contains `initdb` and `postgres`. */
  readonly programs: string
  readonly settings: Readonly<Record<string, string>>
}

/** PostgreSQL's programs get a minimal environment, a folder they may enter, and never run as root. */
export const childOptions = ({ home, account }: Plan) => ({
  ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  cwd: home.workshop,
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})

export const give = (path: string, account: Account | undefined): void => {
  if (account !== undefined) chownSync(path, account.uid, account.gid)
}
