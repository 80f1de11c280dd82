// Filters → the rows of the audit trail as CSV or JSON, written piece by piece, at most so many and for so long.
import { type Cell, writeCsvRow } from '../base/csv-text.ts'
import type { Queryable } from '../db/database.ts'
import type { LogKey } from './log-key.ts'
import { readWrittenRows, type WrittenFilters, type WrittenRow } from './read-written-rows.ts'

export type ExportFormat = 'csv' | 'json'

export const MOST_EXPORTED = 100_000
const ROWS_AT_A_TIME = 1000
const LONGEST_MS = 300_000

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

const columns: readonly (readonly [string, (row: WrittenRow) => Cell])[] = [
  ['at', row => row.at],
  ['table', row => row.table],
  ['record', row => row.record],
  ['masjid_id', row => row.masjidId],
  ['masjid', row => row.masjid],
  ['kind', row => row.kind],
  ['columns', row => row.columns.join(' ')],
  ['old', row => json(row.old)],
  ['new', row => json(row.new)],
  ['user_id', row => row.userId],
  ['person', row => row.person],
  ['app_id', row => row.appId],
  ['app', row => row.app],
  ['authority', row => row.authority],
  ['capability', row => row.capability],
  ['request_id', row => row.requestId],
]

const names = columns.map(([name]) => name)

const csvLine = (row: WrittenRow): string => writeCsvRow(columns.map(([, cell]) => cell(row)))

const jsonLine = (row: WrittenRow): string =>
  JSON.stringify({
    ...Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)])),
    columns: row.columns,
    old: row.old,
    new: row.new,
  })

/** Each batch is a statement of its own: a slow reader holds no connection. */
async function* readBatches(queryable: Queryable, filters: WrittenFilters): AsyncGenerator<WrittenRow[]> {
  const end = performance.now() + LONGEST_MS
  let before: LogKey | undefined
  for (let left = MOST_EXPORTED; left > 0; ) {
    if (performance.now() > end) throw new Error('The export took too long.')
    const rows = await readWrittenRows(queryable, { filters, before, limit: Math.min(left, ROWS_AT_A_TIME) })
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_A_TIME) return
    left -= rows.length
    before = rows.at(-1)
  }
}

async function* writeCsvFile(queryable: Queryable, filters: WrittenFilters): AsyncGenerator<string> {
  yield writeCsvRow(names)
  for await (const rows of readBatches(queryable, filters)) yield rows.map(csvLine).join('')
}

async function* writeJsonFile(queryable: Queryable, filters: WrittenFilters): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of readBatches(queryable, filters)) {
    yield separator + rows.map(jsonLine).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

export const exportWrittenRows = (
  queryable: Queryable,
  filters: WrittenFilters,
  format: ExportFormat,
): AsyncIterable<string> => (format === 'csv' ? writeCsvFile(queryable, filters) : writeJsonFile(queryable, filters))
