// A real streaming replica of a test's own cluster: its files copied during an online backup, as pg_basebackup does.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../../src/db/connection.ts'
import { withClient } from '../../src/db/with-client.ts'
import { temporaryFolder } from '../support/process.ts'
import { type OwnCluster, runCluster } from './own-cluster.ts'

const copyData = (connection: Connection, from: string, to: string): Promise<void> =>
  withClient(connection, async client => {
    await client.query("select pg_backup_start('standby', true)")
    cpSync(join(from, 'postgres.password'), join(to, 'postgres.password'), { preserveTimestamps: true })
    execFileSync('cp', ['-a', join(from, 'postgres'), join(to, 'postgres')])
    execFileSync('chown', ['--reference', join(from, 'postgres.password'), join(to, 'postgres.password')])
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    for (const file of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, 'postgres', file), { force: true })
    writeFileSync(join(to, 'postgres/backup_label'), rows[0].labelfile)
  })

export const startStandby = async (primary: OwnCluster): Promise<OwnCluster> => {
  const folder = temporaryFolder()
  await copyData(primary.connection, primary.folder, folder.path)
  const { host, port, user, password } = primary.connection
  const data = join(folder.path, 'postgres')
  const source = `host=${host} port=${port} user=${user} password=${password}`
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  writeFileSync(join(data, 'standby.signal'), '')
  execFileSync('chown', ['-R', '--reference', join(data, 'PG_VERSION'), data])
  return runCluster(folder, primary.settings)
}
