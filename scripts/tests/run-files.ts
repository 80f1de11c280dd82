// Test files → node's test runner: most in a few long-lived processes, the rest in a process each. Returns whether all passed.
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { endInTime } from './end-in-time.ts'
import { grouped } from './groups.ts'
import { longestFirst } from './order.ts'
import { ownProcess } from './own-process.ts'
import { fillQueue, unclaimed } from './queue.ts'
import { shuffled } from './shuffle.ts'

const lane = fileURLToPath(new URL('lane.ts', import.meta.url))
const measureProcess = new URL('measure-process.ts', import.meta.url).href

/** A test that hangs fails, and one that leaves handles open exits, instead of blocking the run. */
const flags = ['--test-timeout=1200000', '--test-force-exit']

/** At least, in a small run: starting another process would cost more than it saves. */
const FILES_PER_LANE = 4

interface RunOptions {
  /** Processes at once. */
  readonly concurrency: number
  /** Aborted when the run is to end early. */
  readonly ending: AbortSignal
  /** The seed of another order than the usual one. */
  readonly shuffle: number | undefined
}

const runProcesses = (paths: readonly string[], { concurrency, ending }: RunOptions): Promise<boolean> =>
  new Promise(done => {
    const profiled = process.env.MINARET_TEST_PROFILE === undefined ? [] : [`--import=${measureProcess}`]
    const events = run({ files: [...paths], concurrency, execArgv: [...flags, ...profiled], signal: ending })
    let passed = false
    events.on('test:summary', ({ file, success }) => {
      if (file === undefined) passed = success
    })
    const report = events.compose(spec).on('end', () => done(passed))
    report.pipe(process.stdout)
    // Whoever reads the output may have gone: without a reader, the report would never end.
    ending.addEventListener('abort', () => report.resume())
  })

/** Groups stay together. */
const inOrder = (files: readonly string[], seed: number | undefined): readonly (readonly string[])[] => {
  const groups = grouped(files)
  return seed === undefined ? groups : shuffled(groups, seed).map(group => shuffled(group, seed))
}

export const runFiles = async (files: readonly string[], options: RunOptions): Promise<boolean> => {
  const { concurrency, shuffle } = options
  const alone = longestFirst(files.filter(file => ownProcess.has(file)))
  const shared = files.filter(file => !ownProcess.has(file))
  const groups = inOrder(shared, shuffle)
  const queue = fillQueue(groups)
  try {
    process.env.MINARET_TEST_QUEUE = queue
    const lanes = Array.from(
      { length: Math.min(concurrency, groups.length, Math.ceil(shared.length / FILES_PER_LANE)) },
      () => lane,
    )
    // The last lane follows the files with a process of their own, which would otherwise come last.
    const own = alone.map(file => resolve(file))
    const all = [...lanes.slice(0, -1), ...own, ...lanes.slice(-1)]
    const passed = await endInTime(options.ending, () => runProcesses(all, options))
    const left = unclaimed(queue)
    for (const file of left) console.error(`Not run: ${file}`)
    return passed && left.length === 0
  } finally {
    rmSync(queue, { recursive: true, force: true })
  }
}
