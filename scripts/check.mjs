// Everything that is checked without running the service: types, lint and format, import direction and cycles, dead code.
import { spawnSync } from 'node:child_process'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

const fix = process.argv.includes('--fix')

const checks = [
  ['types', ['typescript/bin/tsc', '--noEmit', '-p', '.']],
  ['lint and format', ['@biomejs/biome/bin/biome', 'check', ...(fix ? ['--write'] : []), '--error-on-warnings', '.']],
  [
    'import direction and cycles',
    ['dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.cjs', 'src'],
  ],
  ['dead code', ['knip/bin/knip.js']],
]

const run = ([name, [program, ...args]]) => {
  const started = Date.now()
  const { status, stdout, stderr } = spawnSync(runtimePath(), [`${projectFolder}node_modules/${program}`, ...args], {
    cwd: projectFolder,
    encoding: 'utf8',
  })
  console.log(`${status === 0 ? '✔' : '✘'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
  if (status !== 0) console.log(stdout + stderr)
  return status === 0
}

export const runChecks = () => {
  ensureInstalled()
  return checks.map(run).every(Boolean)
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit(runChecks() ? 0 : 1)
