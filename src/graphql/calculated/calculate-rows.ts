// Parameters of a statement → the same with the rows that were calculated for it.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CalculatedRows, Reading } from './calculation.ts'

type Parameters = readonly (string | null)[]

/** One after the other, and others have their turn in between: each takes no longer than a request to `/v1/times`. */
export const withCalculatedRows = async (
  parameters: Parameters,
  calculated: readonly CalculatedRows[],
  reading: Reading,
): Promise<Parameters> => {
  const filled = [...parameters]
  for (const { slot, write } of calculated) {
    filled[slot] = await write(reading)
    await nextTurn()
  }
  return filled
}
