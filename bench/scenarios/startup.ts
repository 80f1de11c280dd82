// Start-up time: from `minaret serve` to the first response, with a fresh and with an existing data folder.

import { startMinaretProcess, temporaryFolder, wrapper } from '../../test/support/process.ts'
import { type Bench, type Group, nothingFound } from '../bench-frame.ts'
import { median, medianInterval } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import type { Reading } from '../report/bars.ts'

/** Seconds until the service, with its embedded PostgreSQL, is ready. */
const timeStart = async (dataDir: string): Promise<number> => {
  const startedAt = performance.now()
  const running = await startMinaretProcess({ DATA_DIR: dataDir }, { program: wrapper, defaults: {} })
  const { status } = await fetch(`${running.baseUrl}/readyz`)
  const seconds = (performance.now() - startedAt) / 1000
  await running.stop()
  if (status !== 200) throw new Error(`The service says that it is started, but not ready: ${status}.`)
  return seconds
}

const timeBoth = async (bench: Bench, round: number): Promise<{ fresh: number; existing: number }> => {
  const folder = temporaryFolder()
  try {
    bench.progress.step(`startup: round ${round}`)
    return { fresh: await timeStart(folder.path), existing: await timeStart(folder.path) }
  } finally {
    folder.remove()
  }
}

/** The fewest rounds that give a confidence interval. */
const ROUNDS = 6

const summarise = (seconds: readonly number[]) => ({
  value: median(seconds),
  interval: medianInterval(seconds),
  unit: 's',
})

export const startupGroup: Group = {
  name: 'startup',
  run: async bench => {
    if (!isChosen('startup', bench.options)) return nothingFound
    const rounds = []
    for (let round = 1; round <= (bench.options.quick ? 1 : ROUNDS); round += 1)
      rounds.push(await timeBoth(bench, round))
    const readings: Reading[] = [
      {
        name: 'startup.fresh',
        title: 'Fresh data folder to ready, with demo data',
        ...summarise(rounds.map(({ fresh }) => fresh)),
      },
      {
        name: 'startup.existing',
        title: 'Existing data folder to ready',
        ...summarise(rounds.map(({ existing }) => existing)),
      },
    ]
    for (const { title, value } of readings) bench.progress.done(`${title}: ${value.toFixed(2)} s`)
    return { results: [], readings }
  },
}
