// The rows of a sheet → its heading and what stands below, past the title or the bank's address above it.

export interface TableRow {
  /** Counted from the first row of the sheet as 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface Table {
  readonly header: readonly string[]
  readonly rows: readonly TableRow[]
}

/** Headings stand near the top. */
const MOST_ABOVE = 20

/** The first row that looks like a heading; the first of all, if none does. Repeated on a second sheet, it is left out. */
export const findTable = (
  rows: readonly (readonly string[])[],
  isHeading: (row: readonly string[]) => boolean,
): Table => {
  const at = Math.max(rows.slice(0, MOST_ABOVE).findIndex(isHeading), 0)
  const header = rows[at] ?? []
  const repeated = header.join('\t')
  const below = rows.map((cells, index) => ({ line: index + 1, cells })).slice(at + 1)
  return { header, rows: below.filter(({ cells }) => cells.join('\t') !== repeated) }
}
