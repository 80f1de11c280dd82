// Rows in batches → the text of a file, as JSON or CSV, in pieces.
import { type Cell, writeCsvRow } from '../../base/csv-text.ts'
import type { ExportedRow, ExportedSource } from './exported-table.ts'

const toCell = (value: unknown): Cell => {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
}

const csvLine = (columns: readonly string[], row: ExportedRow): string =>
  writeCsvRow(columns.map(name => toCell(row[name])))

export async function* writeCsvFile({ columns, read }: ExportedSource): AsyncGenerator<string> {
  // Spreadsheets read UTF-8 only after this mark.
  yield `\uFEFF${writeCsvRow(columns)}`
  for await (const rows of read()) yield rows.map(row => csvLine(columns, row)).join('')
}

export async function* writeJsonFile({ read }: ExportedSource): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of read()) {
    yield separator + rows.map(row => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
