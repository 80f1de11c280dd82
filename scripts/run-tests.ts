// Test files → node's test runner against a throwaway cluster. Each file runs once: its result is the result.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describeFlaky, flakyTests } from '../test/support/flaky.ts'
import { describePasses, freshSeed } from '../test/support/holds.ts'
import { startTestCluster } from './test-cluster.ts'

const everyTest = ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/*.test.ts', 'bench/{load,measure,report}/*.test.ts']

/** A test that hangs fails, and one that leaves handles open exits, instead of blocking the run. */
const flags = ['--test', '--test-timeout=600000', '--test-force-exit', '--test-concurrency=3', '--test-reporter=spec']

const runNodeTests = (files: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env: environment })
    const stop = (): void => void child.kill('SIGTERM')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    child.on('exit', code => resolve(code ?? 1))
  })

/** Some tests start a nested run, which uses the outer run's cluster. */
const useCluster = async (): Promise<{ connection: string; stop(): Promise<void> }> => {
  const running = process.env.MINARET_TEST_CLUSTER
  if (running !== undefined) return { connection: running, stop: async () => undefined }
  const { connection, stop } = await startTestCluster()
  return { connection: JSON.stringify(connection), stop }
}

const chosen = process.argv.slice(2)
const files = globSync(chosen.length > 0 ? chosen : everyTest).sort()
process.env.PROPERTY_FRESH_SEED ??= String(freshSeed())
console.log(describePasses())
for (const line of describeFlaky(flakyTests)) console.log(line)
const cluster = await useCluster()
try {
  const environment = {
    // Every file is a process, and most import the whole service: compile it once, not two hundred times.
    NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/minaret', import.meta.url)),
    ...process.env,
    NODE_ENV: 'test',
    MINARET_TEST_CLUSTER: cluster.connection,
  }
  process.exitCode = await runNodeTests(files, environment)
} finally {
  await cluster.stop()
}
