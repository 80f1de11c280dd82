// Test files → node's test runner against a throwaway cluster. Each file runs once: its result is the result.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describeFlaky, flakyTests } from '../test/support/flaky.ts'
import { describePasses, freshSeed } from '../test/support/holds.ts'
import { chooseFiles, describeLeftOut } from './tests/choose.ts'
import { startTestCluster } from './tests/cluster.ts'
import { cpuSeconds } from './tests/measure.ts'
import { profiled } from './tests/profile.ts'
import { runFiles } from './tests/run-files.ts'
import { shuffleSeed } from './tests/shuffle.ts'

/** The database has connections for so many. */
const MOST_PROCESSES = 8
/** Processes at once: two more than there are cores, as tests also wait. */
const CONCURRENCY = Number(process.env.MINARET_TEST_LANES ?? Math.min(availableParallelism() + 2, MOST_PROCESSES))

/** Some tests start a nested run, which uses the outer run's cluster. */
const useCluster = async (): Promise<{ connection: string; stop(): Promise<void> }> => {
  const running = process.env.MINARET_TEST_CLUSTER
  if (running !== undefined) return { connection: running, stop: async () => undefined }
  const { connection, stop } = await startTestCluster()
  return { connection: JSON.stringify(connection), stop }
}

const isProfile = process.argv.includes('--profile')
const choice = chooseFiles(process.argv.slice(2))
const shuffle = shuffleSeed(process.argv)
if (shuffle !== undefined) console.log(`Files in the order of --shuffle=${shuffle}.`)
process.env.PROPERTY_FRESH_SEED ??= String(freshSeed())
console.log(describePasses())
for (const line of describeFlaky(flakyTests)) console.log(line)
const ending = new AbortController()
// A terminal sends the signal to every process, and scripts/test.mjs passes it on: none may end this one before its database.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ending.abort())
// Nobody reads on, as in `npm test | head`.
process.stdout.on('error', () => ending.abort())
const runAll = (concurrency: number): Promise<boolean> =>
  ending.signal.aborted
    ? Promise.resolve(false)
    : runFiles(choice.files, { concurrency, ending: ending.signal, shuffle })
const cluster = await useCluster()
try {
  Object.assign(process.env, {
    // Compiled once, not in every process.
    NODE_COMPILE_CACHE:
      process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/minaret', import.meta.url)),
    NODE_ENV: 'test',
    // As it is, so that nothing has to be bundled after each edit; what is about the bundle says so.
    MINARET_BUNDLE: process.env.MINARET_BUNDLE ?? 'off',
    MINARET_TEST_CLUSTER: cluster.connection,
  })
  const passed = isProfile ? await profiled(() => runAll(1)) : await runAll(CONCURRENCY)
  process.exitCode = passed ? 0 : 1
} finally {
  await cluster.stop()
}
const seconds = cpuSeconds()
if (seconds !== undefined) console.log(`CPU time of the tests: ${Math.round(seconds)} s.`)
const leftOut = describeLeftOut(choice)
if (leftOut !== undefined) console.log(leftOut)
