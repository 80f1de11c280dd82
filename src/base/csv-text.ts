// Rows → comma-separated values (RFC 4180), safe to open in a spreadsheet.

export type Cell = string | number | boolean | Date | null

const startsLikeFormula = /^(?:[\s"]*[=+\-@＝＋－＠]|[\t\r\n])/

/** Looks back from each such character, over blanks that hold no other: it takes no longer than the text is. */
const laterFormula = /(?<=[;|\t\r\n][\s"]*)[=+\-@＝＋－＠]/g

/** Most cells are words, dates and times: nothing to look for. */
const plain = /^\w[\w.:+ -]*$/

/**
 * A spreadsheet would run text that starts like a formula, some also after blanks or in full-width characters; an apostrophe
 * prevents that. One that is set to another separator also splits our cells there, and at line breaks: it sees quotes only at the
 * start of what it takes for a cell.
 */
const harmless = (text: string): string =>
  plain.test(text) ? text : `${startsLikeFormula.test(text) ? "'" : ''}${text.replaceAll(laterFormula, "'$&")}`

const needsQuotes = /[",;|\t\r\n]/

const quoted = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const writeCell = (cell: Cell): string => {
  if (cell === null) return ''
  if (cell instanceof Date) return cell.toISOString().replace('.000Z', 'Z')
  return typeof cell === 'string' ? quoted(harmless(cell)) : String(cell)
}

export const writeCsvRow = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`

export const writeCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map(writeCsvRow).join('')
