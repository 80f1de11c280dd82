// Masjids that changed and are not in an answer → whether one of them belongs to it now. Their rows are read with the number of the
// last check before, like an answer, and hold until a later check finds them changed.
import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type Epoch, lastChange } from '../../db/changes/epoch.ts'
import type { Reader, ReadMoment } from '../../db/reader.ts'
import { type AdmissionStatement, type AdmissionValues, askFor, readValues } from '../sources/admission-statement.ts'
import type { Admission } from '../sources/read-sources.ts'

/** A row as it was after a check. */
interface KnownRow {
  readonly check: number
  readonly values: AdmissionValues
}

interface Known {
  readonly rows: LRUCache<string, KnownRow>
  /** Being read, by statement and masjids. */
  readonly reading: Map<string, Promise<void>>
}

/** Rows by process and server: about 1 MB. */
const MOST_ROWS = 2000
/** Whoever needs more of them reads the answer again: that is not much more work. */
export const MOST_NEWCOMERS = 20

/** Such a read takes a fraction of a millisecond. Whoever waits this long reads the answer itself. */
const PATIENCE_MS = 250

const knownOf = new WeakMap<Epoch, Known>()

const knownIn = (epoch: Epoch): Known => {
  const known = knownOf.get(epoch) ?? { rows: new LRUCache({ max: MOST_ROWS }), reading: new Map() }
  knownOf.set(epoch, known)
  return known
}

const keyOf = ({ name }: AdmissionStatement, masjid: string): string => `${name} ${masjid}`

/** Undefined if its row has to be read first. */
export const isAdmitted = (epoch: Epoch, table: string, { statement, values }: Admission, masjid: string) => {
  const row = knownIn(epoch).rows.get(keyOf(statement, masjid))
  if (row === undefined || row.check < lastChange(epoch, { table, masjids: [masjid] })) return undefined
  return row.values?.every((value, index) => value !== null && value === values[index]) === true
}

const readOnce = async (reader: Reader, epoch: Epoch, statement: AdmissionStatement, masjids: readonly string[]) => {
  const moment: ReadMoment = { point: undefined }
  const found = readValues(await reader.read(askFor(statement, masjids), { who: '', moment }))
  const { point } = moment
  // It may have been read from another server, which may be behind the one that was checked.
  if (point?.epoch !== epoch) return
  const { rows } = knownIn(epoch)
  for (const masjid of masjids) rows.set(keyOf(statement, masjid), { check: point.check, values: found.get(masjid) })
}

/** Those who ask for the same at once share one statement. That it fails is no fault: the answer is read again then. */
const readShared = (
  reader: Reader,
  epoch: Epoch,
  statement: AdmissionStatement,
  masjids: readonly string[],
): Promise<void> => {
  const { reading } = knownIn(epoch)
  const key = `${statement.name} ${masjids.join()}`
  const known = reading.get(key)
  if (known !== undefined) return known
  const begun = readOnce(reader, epoch, statement, masjids)
    .catch(() => undefined)
    .finally(() => reading.delete(key))
  reading.set(key, begun)
  return begun
}

export const readNewcomers = async (...reading: Parameters<typeof readShared>): Promise<void> => {
  await Promise.race([readShared(...reading), delay(PATIENCE_MS, undefined, { ref: false })])
}
