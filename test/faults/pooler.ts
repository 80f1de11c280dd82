// Debian's pgbouncer in front of the test cluster.
import { chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../../src/db/connection.ts'
import { unprivilegedAccount } from '../../src/db/embedded/account.ts'
import { freePort, type Program, startProgram } from './balancer.ts'

export type PoolMode = 'transaction' | 'session'

const configuration = (
  folder: string,
  port: number,
  mode: PoolMode,
  { host, port: number, user }: Connection,
): string => `
[databases]
* = host=${host} port=${number}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
pool_mode = ${mode}
auth_type = scram-sha-256
auth_file = ${folder}/users
auth_user = ${user}
max_client_conn = 200
default_pool_size = 40
logfile = ${folder}/log
`

export interface Pooler extends Program {
  /** The URL of the same database through the pooler. */
  urlFor(connection: Connection): string
}

export const startPooler = async (folder: string, mode: PoolMode, connection: Connection): Promise<Pooler> => {
  const port = await freePort()
  mkdirSync(folder)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configuration(folder, port, mode, connection))
  writeFileSync(join(folder, 'users'), `"${connection.user}" "${connection.password}"\n`)
  // It refuses to run as root.
  const account = unprivilegedAccount()
  if (account !== undefined)
    for (const path of [folder, file, join(folder, 'users')]) chownSync(path, account.uid, account.gid)
  const args = [...(account === undefined ? [] : ['-u', account.name]), file]
  const program = await startProgram('/usr/sbin/pgbouncer', args, port)
  const urlFor = ({ user, password, database }: Connection): string =>
    `postgres://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${database}`
  return { ...program, urlFor }
}
