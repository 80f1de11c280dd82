// The static checks: types, lint and format, import direction and cycles, dead code,
// migration numbers, migrations that only add, no loops over dates, no top-level await.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

const fix = process.argv.includes('--fix')

const typesOf = folder => ['node_modules/typescript/bin/tsc', '--noEmit', '-p', folder]

const checks = [
  ['types', typesOf('.')],
  ['types of bench', typesOf('bench')],
  ['types of examples', typesOf('examples')],
  [
    'lint and format',
    ['node_modules/@biomejs/biome/bin/biome', 'check', ...(fix ? ['--write'] : []), '--error-on-warnings', '.'],
  ],
  [
    'import direction and cycles',
    ['node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', '--config', '.dependency-cruiser.cjs', 'src'],
  ],
  ['dead code', ['node_modules/knip/bin/knip.js']],
  ['migration numbers', ['scripts/migration-numbers.ts']],
  ['migrations only add', ['scripts/migration-contracts.ts']],
  ['no loops over dates', ['scripts/date-loops.ts']],
  ['no line wider than a screen', ['scripts/wide-lines.ts']],
  ['no top-level await', ['scripts/top-level-await.ts'], ['--experimental-vm-modules', '--no-warnings']],
]

/** Checks by programs that are compiled for each system, and the beginning of those packages' names. */
const nativeOf = {
  'lint and format': '@biomejs/cli-',
  'import direction and cycles': '@swc/core-',
  'dead code': '@oxc-parser/binding-',
}

const hasNative = start =>
  start === undefined || existsSync(`${projectFolder}node_modules/${start}${process.platform}-${process.arch}`)

/** Runs in parallel with the others, as most checks use one core; prints a line when done. */
const run = ([name, [program, ...args], flags = []]) =>
  new Promise(resolve => {
    const started = Date.now()
    const options = { cwd: projectFolder, maxBuffer: 64 * 1024 * 1024 }
    execFile(runtimePath(), [...flags, `${projectFolder}${program}`, ...args], options, (error, stdout, stderr) => {
      console.log(`${error === null ? '✔' : '✘'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`)
      if (error !== null) console.log(stdout + stderr)
      resolve(error === null)
    })
  })

/** Registries need not have every package of every system; on others than Linux, a check that cannot run is left out. */
const leaveOut = () => {
  const absent = checks.filter(([name]) => process.platform !== 'linux' && !hasNative(nativeOf[name]))
  for (const [name] of absent) console.log(`– ${name}: left out, as its package for this system is not installed`)
  return checks.filter(check => !absent.includes(check))
}

export const runChecks = async () => {
  ensureInstalled({ tools: true })
  return (await Promise.all(leaveOut().map(run))).every(Boolean)
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exit((await runChecks()) ? 0 : 1)
