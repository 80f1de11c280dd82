// Test files → node's test runner against a throwaway cluster; its exit status is the answer.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { startTestCluster } from './test-cluster.ts'

const everyTest = [
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'demo/**/*.test.ts',
  'bench/*.test.ts',
  'bench/{load,measure,report}/*.test.ts',
]

/** A test that hangs, or leaves something open, fails or ends by itself instead of holding up the run. */
const flags = ['--test', '--test-concurrency=3', '--test-reporter=spec', '--test-timeout=600000', '--test-force-exit']

const runNodeTests = (files: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> =>
  new Promise(resolve => {
    const child = spawn(process.execPath, [...flags, ...files], { stdio: 'inherit', env: environment })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal))
    child.on('exit', code => resolve(code ?? 1))
  })

const chosen = process.argv.slice(2)
const files = globSync(chosen.length > 0 ? chosen : everyTest).sort()
const cluster = await startTestCluster()
try {
  process.exitCode = await runNodeTests(files, {
    ...process.env,
    NODE_ENV: 'test',
    MINARET_TEST_CLUSTER: JSON.stringify(cluster.connection),
  })
} finally {
  await cluster.stop()
}
