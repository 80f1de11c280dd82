// `npm test`: set-up, checks, then the suite. With `--all`, the large tests too. With file names, only those tests. With `--long`,
// every test, with many more rounds and generated values, and with screenshots. With `--profile`, every test, one file at a time,
// then the CPU time of each. With `--changed`, the tests of what was changed. With `--shuffle` or `--shuffle=SEED`, in another order.
import { spawn } from 'node:child_process'
import { ensureBrowser, findShell } from './browser.mjs'
import { runChecks } from './check.mjs'
import { ensureFaultPrograms } from './fault-programs.mjs'
import { ensurePostgresql15 } from './postgresql-15.mjs'
import { ensurePromtool } from './promtool.mjs'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

const words = process.argv.slice(2)
const files = words.filter(word => !word.startsWith('--'))
const long = words.includes('--long') ? { MINARET_LONG: '1', PROPERTY_EFFORT: '10', SCREENSHOTS: 'on' } : {}
const passedOn = words.filter(word => /^--(profile|changed|shuffle)/.test(word))
const isQuick = ['--profile', '--changed'].some(word => words.includes(word))
const isWhole = files.length === 0 && ['--all', '--long', '--profile'].some(word => words.includes(word))
ensureInstalled({ tools: true })
if (files.length === 0 && !isQuick && !(await runChecks())) {
  console.error('The checks failed. `npm run check:fix` fixes what it can.')
  process.exit(1)
}
const browser = ensureBrowser()
// A long run has the whole Chromium everywhere.
const shell = words.includes('--long') ? undefined : findShell()
if (isWhole) ensurePostgresql15()
if (isWhole || files.some(file => /cluster|faults|production/.test(file))) ensureFaultPrograms()
const promtool = files.length === 0 || files.some(file => file.includes('promtool')) ? ensurePromtool() : undefined
const environment = {
  ...long,
  ...process.env,
  ...(promtool === undefined ? {} : { PROMTOOL_PATH: promtool }),
  ...(browser === undefined ? {} : { CHROMIUM_PATH: browser }),
  ...(shell === undefined ? {} : { CHROMIUM_SHELL_PATH: shell }),
}
const run = spawn(
  runtimePath(),
  [`${projectFolder}scripts/run-tests.ts`, ...passedOn, ...(isWhole ? ['--all'] : []), ...files],
  {
    cwd: projectFolder,
    stdio: 'inherit',
    env: environment,
  },
)
// The run ends its processes and removes its database; without this, it would go on by itself.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill(signal))
run.once('exit', status => process.exit(status ?? 1))
