// What is installed for running, and what for checks and tests: in a copy of the scripts, with an npm that only notes how it is called.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/process.ts'

const scripts = fileURLToPath(new URL('../../scripts/', import.meta.url))
const { path, remove } = temporaryFolder()
after(remove)
mkdirSync(`${path}/scripts`)
mkdirSync(`${path}/bin`)
for (const name of ['setup.mjs', 'platform.mjs']) copyFileSync(`${scripts}${name}`, `${path}/scripts/${name}`)
writeFileSync(`${path}/bin/npm`, `#!/bin/sh\nmkdir -p node_modules\necho "$*" >> ${path}/calls\n`, { mode: 0o755 })
const lock = (version: number): void =>
  writeFileSync(`${path}/package-lock.json`, `{"packages":{"":{},"node_modules/a":{"version":"${version}"}}}`)

/** The status, what it said, and how npm was called. */
const install = (options: string, environment: Record<string, string> = {}) => {
  rmSync(`${path}/calls`, { force: true })
  const call = `import('${path}/scripts/setup.mjs').then(setup => setup.ensureInstalled(${options}))`
  const { status, stderr } = spawnSync(process.execPath, ['--eval', call], {
    env: { PATH: `${path}/bin:${process.env.PATH}`, ...environment },
    encoding: 'utf8',
  })
  return { status, stderr, called: existsSync(`${path}/calls`) ? readFileSync(`${path}/calls`, 'utf8').trim() : '' }
}

const forRunning = () => install('')
const forTests = () => install('{ tools: true }')

test('a first start installs what running needs, once, and says how long it took', () => {
  lock(1)
  const { status, stderr, called } = forRunning()
  assert.equal(status, 0, stderr)
  assert.match(called, /^install --no-save --omit=dev --include=optional --ignore-scripts /)
  assert.match(stderr, /^Installing packages \(once; .*\nInstalled in \d+ s\.\n$/)
  assert.deepEqual(forRunning(), { status: 0, stderr: '', called: '' })
})

test('checks and tests add the rest, once, and a start then has what it needs', () => {
  const { called, stderr } = forTests()
  assert.match(called, /^install --no-save --include=dev --include=optional --no-audit/)
  assert.match(stderr, /^Installing packages for checks and tests /)
  assert.equal(forTests().called, '')
  assert.equal(forRunning().called, '')
})

test('another lockfile is installed anew, and who has the tools keeps them', () => {
  lock(2)
  assert.match(forRunning().called, /--include=dev/)
  assert.equal(forTests().called, '')
})

test('in production nothing is installed: it names the command, with the tools if they are what is missing', () => {
  lock(3)
  for (const [options, flag] of [
    ['', '--omit=dev'],
    ['{ tools: true }', '--include=dev'],
  ] as const) {
    const { status, stderr, called } = install(options, { NODE_ENV: 'production' })
    assert.deepEqual([status, called], [1, ''])
    assert.match(stderr, new RegExp(`cd ${path}/ && npm install --no-save ${flag} --include=optional`))
  }
})
