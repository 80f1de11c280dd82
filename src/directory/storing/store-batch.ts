// A prepared batch → one transaction: rows of masjids, and what became of each row of the file. A row that only the table itself refuses
// is found by halves, so that it takes no others with it.
import type { Database, Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { GivenMasjid, RefusedRow } from '../read-values.ts'
import { findTwins } from './find-twins.ts'
import { type Done, type ImportSource, noCounts, type ReportLine, sumCounts } from './import-source.ts'
import { noteRead, noteTried } from './note-read.ts'
import type { Batch, Masjid } from './prepare-batch.ts'
import { insertMasjids, keepLicence, lockMasjids, updateMasjids } from './write-masjids.ts'

export interface Storing {
  readonly database: Database
  readonly source: ImportSource
  readonly isTrial: boolean
}

const refusedLine = ({ line, sourceId, column, reason }: RefusedRow): ReportLine => ({
  happened: 'refused',
  line,
  sourceId,
  column,
  reason,
  masjidId: null,
})

const givenTwice = ({ line, sourceId }: GivenMasjid | RefusedRow, first: number): ReportLine =>
  refusedLine({
    kind: 'refused',
    line,
    sourceId,
    column: 'source_id',
    reason: `source_id was given before, on line ${first}`,
  })

interface Sorted {
  readonly stay: readonly Masjid[]
  readonly lines: readonly ReportLine[]
}

const withoutTwins = async (transaction: Queryable, fresh: readonly Masjid[], isTrial: boolean): Promise<Sorted> => {
  const twins = await findTwins(transaction, fresh, isTrial)
  const lines = fresh.flatMap(({ line, sourceId }): ReportLine[] => {
    const twin = twins.get(sourceId)
    return twin === undefined ? [] : [{ happened: 'duplicate', line, sourceId, column: '', ...twin }]
  })
  return { stay: fresh.filter(({ sourceId }) => !twins.has(sourceId)), lines }
}

const withoutHeld = async (transaction: Queryable, changed: readonly Masjid[]): Promise<Sorted> => {
  const held = await lockMasjids(transaction, changed)
  const reasonOf = ({ masjidId }: Masjid): string | null => held.get(masjidId ?? '') ?? null
  const lines = changed.flatMap((masjid): ReportLine[] => {
    const [reason, { line, sourceId, masjidId = null }] = [reasonOf(masjid), masjid]
    return reason === null ? [] : [{ happened: 'kept', line, sourceId, column: '', reason, masjidId }]
  })
  return { stay: changed.filter(masjid => reasonOf(masjid) === null), lines }
}

const storeInTransaction = async (
  transaction: Queryable,
  { source, isTrial }: Storing,
  batch: Batch,
): Promise<Done> => {
  // Its triggers leave the audit trail of single rows to people: see migrations/data/0660.
  await transaction.query(sql`select set_config('minaret.importing', 'yes', true)`)
  const read = [...batch.unchanged, ...batch.masjids, ...batch.refused].filter(({ sourceId }) => sourceId !== '')
  const twice = await noteRead(
    transaction,
    read.sort((one, other) => one.line - other.line),
  )
  const isFirst = ({ line }: GivenMasjid | RefusedRow): boolean => !twice.has(line)
  const masjids = batch.masjids.filter(isFirst)
  const fresh = await withoutTwins(
    transaction,
    masjids.filter(({ masjidId }) => masjidId === undefined),
    isTrial,
  )
  const changed = await withoutHeld(
    transaction,
    masjids.filter(({ masjidId }) => masjidId !== undefined),
  )
  if (isTrial) await noteTried(transaction, fresh.stay)
  else {
    await insertMasjids(transaction, source, fresh.stay)
    await updateMasjids(transaction, source, changed.stay)
    await keepLicence(
      transaction,
      source,
      [...batch.unchanged, ...batch.masjids].map(({ sourceId }) => sourceId),
    )
  }
  const refused = [
    ...batch.refused.filter(isFirst).map(refusedLine),
    ...read.flatMap(row => (twice.has(row.line) ? [givenTwice(row, twice.get(row.line) ?? 0)] : [])),
  ]
  return {
    counts: {
      read: batch.read,
      added: fresh.stay.length,
      updated: changed.stay.length,
      unchanged: batch.unchanged.filter(isFirst).length,
      duplicates: fresh.lines.length,
      kept: changed.lines.length,
      refused: refused.length,
    },
    lines: [...refused, ...fresh.lines, ...changed.lines].sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
  }
}

/** Data exceptions and broken constraints (SQLSTATE 22 and 23): of a row, not of the database. */
const isOfRow = (error: unknown): error is { message: string } =>
  typeof error === 'object' && error !== null && 'code' in error && /^2[23][0-9A-Z]{3}$/.test(String(error.code))

const refusedByTable = (masjid: Masjid, { message }: { message: string }): RefusedRow => ({
  kind: 'refused',
  line: masjid.line,
  sourceId: masjid.sourceId,
  column: '',
  reason: `the database refuses it: ${message.split('\n', 1)[0]}`,
})

const none: Batch = { read: 0, unchanged: [], masjids: [], refused: [] }

const inHalves = async (storing: Storing, batch: Batch, error: { message: string }): Promise<Done> => {
  const [only, ...others] = batch.masjids
  if (only === undefined) throw error
  if (others.length === 0)
    return storeBatch(storing, { ...batch, masjids: [], refused: [...batch.refused, refusedByTable(only, error)] })
  const middle = Math.ceil(batch.masjids.length / 2)
  const first = await storeBatch(storing, { ...batch, masjids: batch.masjids.slice(0, middle) })
  const second = await storeBatch(storing, { ...none, masjids: batch.masjids.slice(middle) })
  return {
    counts: sumCounts(sumCounts(noCounts, first.counts), second.counts),
    lines: [...first.lines, ...second.lines],
  }
}

export const storeBatch = async (storing: Storing, batch: Batch): Promise<Done> => {
  try {
    return await storing.database.transaction(transaction => storeInTransaction(transaction, storing, batch))
  } catch (error) {
    if (!isOfRow(error)) throw error
    return inHalves(storing, batch, error)
  }
}
