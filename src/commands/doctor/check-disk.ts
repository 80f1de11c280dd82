// Room for the data: on this machine for the embedded PostgreSQL; elsewhere only what can be asked over a connection.
import { statfsSync } from 'node:fs'
import { findHome } from '../../db/embedded/home.ts'
import { type Finding, fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const MEGABYTE = 1024 * 1024
const LEAST_MB = 500
const COMFORTABLE_MB = 2048
const MOST_KEPT_MB = 1024

const inWords = (megabytes: number): string =>
  megabytes < 1024 ? `${Math.round(megabytes)} MB` : `${(megabytes / 1024).toFixed(1)} GB`

const checkFolder = (folder: string): Finding => {
  const { bavail, bsize } = statfsSync(folder)
  const free = (bavail * bsize) / MEGABYTE
  const found = `${inWords(free)} are free for ${folder}.`
  const remedy = 'Free some room, or set DATA_DIR to a folder on a larger disk.'
  if (free < LEAST_MB) return fault('disk', found, remedy)
  return free < COMFORTABLE_MB ? warning('disk', found, remedy) : ok('disk', found)
}

const checkSize = async ({ client }: Subject): Promise<Finding> => {
  const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size')
  const size = Number(rows[0]?.size) / MEGABYTE
  return ok('disk', `The database takes ${inWords(size)}; the room on its server cannot be seen from here.`)
}

/** A slot that nobody reads keeps the write-ahead log, until the disk is full. */
const checkSlots = async ({ client }: Subject): Promise<Finding[]> => {
  const { rows } = await client.query<{ name: string; kept: string }>(`
    select slot_name as name, pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint as kept
    from pg_replication_slots where not active and restart_lsn is not null`)
  return rows
    .filter(({ kept }) => Number(kept) > MOST_KEPT_MB * MEGABYTE)
    .map(({ name, kept }) =>
      warning(
        'replication-slot',
        `The replication slot ${name} is not in use and keeps ${inWords(Number(kept) / MEGABYTE)} of write-ahead log.`,
        `Start its replica, or run: select pg_drop_replication_slot('${name}').`,
      ),
    )
}

export const checkDisk: Check = {
  name: 'disk',
  look: async subject => {
    const { databaseUrl, dataDir } = subject.config
    const room = databaseUrl === undefined ? checkFolder(findHome(dataDir).folder) : await checkSize(subject)
    return [room, ...(await checkSlots(subject))]
  },
}
