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

interface Slot {
  readonly name: string
  readonly active: boolean
  /** The server has removed what its replica still needs, because of max_slot_wal_keep_size. */
  readonly lost: boolean
  /** In bytes; null for one that keeps nothing. */
  readonly kept: string | null
}

const judgeSlot = ({ name, active, lost, kept }: Slot): Finding[] => {
  const drop = `select pg_drop_replication_slot('${name}')`
  if (lost)
    return [
      warning(
        'replication-slot',
        `The replica of the replication slot ${name} has fallen so far behind that it cannot follow any more.`,
        `Copy it anew (patronictl reinit), or run: ${drop}.`,
      ),
    ]
  const megabytes = Number(kept) / MEGABYTE
  if (megabytes <= MOST_KEPT_MB) return []
  const found = `The replication slot ${name} is ${active ? 'far behind' : 'not in use'} and keeps ${inWords(megabytes)} of write-ahead log.`
  const remedy = active ? 'Look at its replica: it follows too slowly.' : `Start its replica, or run: ${drop}.`
  return [warning('replication-slot', found, `${remedy} Limit what slots keep with max_slot_wal_keep_size.`)]
}

/** A slot that nobody reads keeps the write-ahead log, until the disk is full. */
const checkSlots = async ({ client }: Subject): Promise<Finding[]> => {
  const { rows } = await client.query<Slot>(`
    select slot_name as name, active, wal_status = 'lost' as lost,
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint as kept
    from pg_replication_slots`)
  return rows.flatMap(judgeSlot)
}

export const checkDisk: Check = {
  name: 'disk',
  look: async subject => {
    const { databaseUrl, dataDir } = subject.config
    const room = databaseUrl === undefined ? checkFolder(findHome(dataDir).folder) : await checkSize(subject)
    return [room, ...(await checkSlots(subject))]
  },
}
