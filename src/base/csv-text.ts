// Rows → comma-separated values (RFC 4180), safe to open in a spreadsheet.

export type Cell = string | number | boolean | Date | null

/**
 * A spreadsheet would run text that starts like a formula, some also after blanks or in full-width characters; a leading
 * apostrophe prevents that.
 */
const harmless = (text: string): string => (/^(\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const writeCell = (cell: Cell): string => {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString().replace('.000Z', 'Z')
  return typeof cell === 'string' ? quoted(harmless(cell)) : String(cell)
}

export const writeCsvRow = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`

export const writeCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map(writeCsvRow).join('')
