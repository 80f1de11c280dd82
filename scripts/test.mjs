// `npm test`: set-up, checks, then every test. With file names, only those tests.
import { spawnSync } from 'node:child_process'
import { ensureBrowser } from './browser.mjs'
import { runChecks } from './check.mjs'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

const files = process.argv.slice(2)
ensureInstalled()
if (files.length === 0 && !(await runChecks())) {
  console.error('The checks failed. `npm run check:fix` mends what can be mended.')
  process.exit(1)
}
const browser = ensureBrowser()
const environment = browser === undefined ? process.env : { ...process.env, CHROMIUM_PATH: browser }
const { status } = spawnSync(runtimePath(), [`${projectFolder}scripts/run-tests.ts`, ...files], {
  cwd: projectFolder,
  stdio: 'inherit',
  env: environment,
})
process.exit(status ?? 1)
