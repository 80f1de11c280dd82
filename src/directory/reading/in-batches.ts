// Rows as pieces of a file give them → as many as are written in one transaction.
import type { RawRow, RawRows } from './raw-row.ts'

/** A transaction of a second or two, and a few lines in the change log. */
const BATCH = 2000
/** The rows of a batch are in memory, and some files have descriptions of pages in columns that nobody reads. */
const MOST_CHARACTERS = 4_000_000

/** If reading fails, what was read before is given first. */
export async function* inBatches(rows: RawRows): AsyncGenerator<readonly RawRow[]> {
  let waiting: RawRow[] = []
  let size = 0
  let fault: unknown
  try {
    for await (const piece of rows)
      for (const row of piece) {
        waiting.push(row)
        size += row.size
        if (waiting.length < BATCH && size < MOST_CHARACTERS) continue
        yield waiting
        waiting = []
        size = 0
      }
  } catch (error) {
    fault = error
  }
  if (waiting.length > 0) yield waiting
  if (fault !== undefined) throw fault
}
