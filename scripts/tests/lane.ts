// One process that runs test files from the queue, one after another. Loading and warming up the service takes longer than
// most files do, so a process per file would spend most of a run on it. Each file is a suite of its own, with its own hooks.
import { AsyncResource } from 'node:async_hooks'
import { resolve } from 'node:path'
import { after, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { measureFile } from './measure.ts'
import { claimNext } from './queue.ts'

const load = async (file: string): Promise<void> => {
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    test('the file loads', () => {
      throw error
    })
  }
}

/**
 * Registers the next file while the one before it is still open, or the test runner would take the run for finished. Bound
 * to the top of this file: from inside a hook, the next suite would become a part of the one that ends.
 */
const runNext = AsyncResource.bind((): void => {
  const file = claimNext(process.env.MINARET_TEST_QUEUE ?? '')
  if (file === undefined) return
  describe(file, async () => {
    const measured = measureFile(file)
    // The first of the hooks, as a failing one keeps the rest from running.
    after(() => {
      measured()
      runNext()
    })
    await load(file)
  })
})

runNext()
