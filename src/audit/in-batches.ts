// A log, newest first → batches of its rows, at most so many and for so long.
import type { LogKey } from './log-key.ts'

export const MOST_EXPORTED = 100_000
const ROWS_AT_A_TIME = 1000
const LONGEST_MS = 300_000

type ReadRows<Row> = (before: LogKey | undefined, limit: number) => Promise<readonly Row[]>

/** Each batch is a statement of its own: a slow reader holds no connection. */
export async function* inBatches<Row extends LogKey>(read: ReadRows<Row>): AsyncGenerator<readonly Row[]> {
  const end = performance.now() + LONGEST_MS
  let before: LogKey | undefined
  for (let left = MOST_EXPORTED; left > 0; ) {
    if (performance.now() > end) throw new Error('The export took too long.')
    const rows = await read(before, Math.min(left, ROWS_AT_A_TIME))
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_A_TIME) return
    left -= rows.length
    before = rows.at(-1)
  }
}
