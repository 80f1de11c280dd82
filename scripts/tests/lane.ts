// One process that runs test files from the queue, one after another. Loading and warming up the service takes longer than
// most files do, so a process per file would spend most of a run on it. Each file is a suite of its own, with its own hooks.
import { AsyncResource } from 'node:async_hooks'
import { resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { setSharing } from '../../test/support/share.ts'
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
const run = AsyncResource.bind((group: readonly string[], place: number): void => {
  const file = group[place] ?? ''
  describe(file, async () => {
    const measured = measureFile(file)
    // When this suite begins, the hooks of the one before it have ended.
    if (place === 0) before(() => setSharing(group.length > 1))
    // The first of the hooks, as a failing one keeps the rest from running.
    after(() => {
      measured()
      if (place + 1 < group.length) run(group, place + 1)
      else runNext()
    })
    await load(file)
  })
})

const runNext = (): void => {
  const group = claimNext(process.env.MINARET_TEST_QUEUE ?? '')
  if (group !== undefined) run(group, 0)
}

runNext()
