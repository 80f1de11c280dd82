// Work over a list → its results; between any two of them, others have their turn.
import { setImmediate as nextTurn } from 'node:timers/promises'

export const inSlices = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> => {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    await nextTurn()
  }
  return results
}
