// Filters → the rows of the audit trail as CSV or JSON, written piece by piece, at most so many and for so long.
import { type Cell, writeCsvRow } from '../base/csv-text.ts'
import type { Queryable } from '../db/database.ts'
import { inBatches } from './in-batches.ts'
import { readWrittenRows, type WrittenFilters, type WrittenRow } from './read-written-rows.ts'

export type ExportFormat = 'csv' | 'json'

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

const readBatches = (queryable: Queryable, filters: WrittenFilters) =>
  inBatches((before, limit) => readWrittenRows(queryable, { filters, before, limit }))

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
