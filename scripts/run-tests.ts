// Test files → node's test runner against a throwaway cluster; its exit status is the answer.
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestCluster } from './test-cluster.ts'

const everyTest = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/*.test.ts', 'bench/{load,measure,report}/*.test.ts']

/** A test that hangs, or leaves something open, fails or ends by itself instead of holding up the run. */
const flags = ['--test', '--test-timeout=600000', '--test-force-exit']

const reporter = fileURLToPath(new URL('failed-files.mjs', import.meta.url))

interface Run {
  readonly files: readonly string[]
  readonly concurrency: number
  readonly environment: NodeJS.ProcessEnv
}

/** @returns the files in which something failed. */
const runNodeTests = ({ files, concurrency, environment }: Run): Promise<{ status: number; failed: string[] }> =>
  new Promise(resolve => {
    const folder = mkdtempSync(join(tmpdir(), 'minaret-run-'))
    const list = join(folder, 'failed')
    const told = ['--test-reporter=spec', '--test-reporter-destination=stdout']
    const kept = [`--test-reporter=${reporter}`, `--test-reporter-destination=${list}`]
    const args = [...flags, `--test-concurrency=${concurrency}`, ...told, ...kept, ...files]
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: environment })
    const stop = (): void => void child.kill('SIGTERM')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    child.on('exit', code => {
      const failed = existsSync(list)
        ? new Set(readFileSync(list, 'utf8').split('\n').filter(Boolean))
        : new Set<string>()
      rmSync(folder, { recursive: true, force: true })
      resolve({ status: code ?? 1, failed: [...failed] })
    })
  })

/** Three Chromiums and four PostgreSQLs on two cores can starve a test: what failed is run once more, alone, and named. */
const MOST_REPEATED = 6

const chosen = process.argv.slice(2)
const files = globSync(chosen.length > 0 ? chosen : everyTest).sort()
const cluster = await startTestCluster()
try {
  const environment = { ...process.env, NODE_ENV: 'test', MINARET_TEST_CLUSTER: JSON.stringify(cluster.connection) }
  const first = await runNodeTests({ files, concurrency: 3, environment })
  process.exitCode = first.status
  if (first.status !== 0 && files.length > 1 && first.failed.length > 0 && first.failed.length <= MOST_REPEATED) {
    console.log(`\nFailed among the others, now run alone:\n${first.failed.map(file => `  ${file}`).join('\n')}\n`)
    process.exitCode = (await runNodeTests({ files: first.failed, concurrency: 1, environment })).status
  }
} finally {
  await cluster.stop()
}
