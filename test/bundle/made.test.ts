import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { findBundle } from '../../src/bundle/find-bundle.ts'
import { copyProject, type Project } from './project.ts'

let project: Project

before(() => {
  project = copyProject()
})
after(() => project.remove())

const place = (): string => join(project.path, 'node_modules/.cache/minaret/bundles')
const bundles = (): string[] => readdirSync(place()).sort()

/** Of the program, without what looks for the bundle. */
const sources = (modules: readonly string[]): string[] =>
  modules.filter(path => path.startsWith(join(project.path, 'src/')) && !/src\/(main\.ts|bundle\/)/.test(path))

test('the first command bundles the program, the next ones run that bundle', async () => {
  const first = await project.run(['--help'])
  assert.equal(first.status, 0, first.stderr)
  assert.equal(first.stderr, '')
  const [bundle = ''] = bundles()
  assert.equal(bundles().length, 1)
  const { ino } = statSync(join(place(), bundle))
  const second = await project.run(['--help'])
  assert.equal(second.stdout, first.stdout)
  assert.deepEqual(sources(second.modules), [])
  assert.ok(second.modules.some(path => path.startsWith(join(place(), bundle))))
  assert.deepEqual(bundles(), [bundle])
  assert.equal(statSync(join(place(), bundle)).ino, ino)
})

test('files that were only touched leave the bundle as it is; another text makes another', async () => {
  const [bundle = ''] = bundles()
  const file = join(project.path, 'src/commands/serve.ts')
  utimesSync(file, new Date(), new Date())
  assert.match((await project.run(['--help'])).stdout, /Run the service until/)
  assert.deepEqual(bundles(), [bundle])
  // Of the same length.
  writeFileSync(file, readFileSync(file, 'utf8').replace('Run the service until', 'RUN THE SERVICE UNTIL'))
  assert.match((await project.run(['--help'])).stdout, /RUN THE SERVICE UNTIL/)
  assert.equal(bundles().length, 2)
})

test('stack traces name the files and lines of the sources', async () => {
  const file = join(project.path, 'src/commands/serve.ts')
  const { stderr, modules } = await project.run(['serve'], { LOG_LEVEL: 'nonsense', DATA_DIR: '/dev/null/nowhere' })
  assert.match(stderr, /LOG_LEVEL/)
  assert.deepEqual(sources(modules), [])
  const text = readFileSync(file, 'utf8')
  const line = text.split('\n').findIndex(one => one.includes('const log = createLogger')) + 1
  assert.ok(line > 0)
  writeFileSync(
    file,
    text.replace('const log = createLogger', "throw new TypeError('on purpose'); const log = createLogger"),
  )
  const thrown = await project.run(['serve'], { DATA_DIR: join(project.path, 'data') })
  assert.equal(thrown.status, 1)
  assert.deepEqual(sources(thrown.modules), [])
  assert.ok(thrown.stderr.includes(`TypeError: on purpose`), thrown.stderr)
  assert.match(thrown.stderr, new RegExp(`src/commands/serve\\.ts:${line}:\\d+\\)?\\n`))
  assert.match(thrown.stderr, /src\/commands\/command-line\.ts:\d+/)
})

test('a program that cannot be bundled, or where nothing can be written, runs as it is', async () => {
  const refused = copyProject()
  try {
    mkdirSync(join(refused.path, 'node_modules/.cache'))
    // Not even root can make a folder in a file.
    writeFileSync(join(refused.path, 'node_modules/.cache/minaret'), '')
    const asItIs = await refused.run(['--help'])
    assert.equal(asItIs.status, 0, asItIs.stderr)
    assert.equal(asItIs.stderr, '')
    assert.ok(asItIs.modules.includes(join(refused.path, 'src/commands/command-line.ts')))

    const cache = join(refused.path, 'elsewhere')
    const elsewhere = await refused.run(['--help'], { NODE_COMPILE_CACHE: cache })
    assert.equal(elsewhere.stdout, asItIs.stdout)
    assert.equal(readdirSync(join(cache, 'bundles')).length, 1)
    assert.ok(!elsewhere.modules.includes(join(refused.path, 'src/commands/command-line.ts')))

    const off = await refused.run(['--help'], { NODE_COMPILE_CACHE: cache, MINARET_BUNDLE: 'off' })
    assert.ok(off.modules.includes(join(refused.path, 'src/commands/command-line.ts')))
  } finally {
    refused.remove()
  }
})

test('what another account could have put there is not run', { skip: process.getuid?.() !== 0 }, async () => {
  const other = copyProject()
  const NOBODY = 65_534
  try {
    mkdirSync(join(other.path, 'node_modules/.cache'))
    writeFileSync(join(other.path, 'node_modules/.cache/minaret'), '')
    const cache = join(other.path, 'elsewhere')
    const environment = { NODE_COMPILE_CACHE: cache }
    await other.run(['--help'], environment)
    const [name = ''] = readdirSync(join(cache, 'bundles'))
    const bundle = join(cache, 'bundles', name)
    writeFileSync(
      join(bundle, 'commands/command-line.mjs'),
      "export const runCommandLine = async () => { console.log('theirs'); return 0 }",
    )
    assert.equal((await other.run(['--help'], environment)).stdout, 'theirs\n')
    const found = () => findBundle({ folder: other.path, environment, onMaking: () => undefined })
    for (const folder of [cache, join(cache, 'bundles'), bundle]) {
      chownSync(folder, NOBODY, NOBODY)
      assert.equal(found(), undefined, folder)
      chownSync(folder, 0, 0)
    }
    for (const folder of [cache, join(cache, 'bundles')]) {
      const { mode } = statSync(folder)
      chmodSync(folder, 0o777)
      assert.equal(found(), undefined, folder)
      chmodSync(folder, mode)
    }
    assert.ok(found() !== undefined)
  } finally {
    other.remove()
  }
})
