// CONTRIBUTING.md names every package, command, check and import rule of the project, and no other.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'

const project = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, project), 'utf8')
const text = read('CONTRIBUTING.md')
const packages = JSON.parse(read('package.json'))

const quoted = (words: string): string[] => [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)

/** The first cells of a table's rows. */
const firstCells = (heading: string): string[] => {
  const section = text.slice(text.indexOf(`\n## ${heading}\n`)).split('\n## ')[1] ?? ''
  return [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell)
}

const rowOf = (command: string): string => text.split('\n').find(line => line.startsWith(`| \`${command}\` |`)) ?? ''

describe('CONTRIBUTING.md', () => {
  test('has a reason for every dependency, and names no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = packages
    const installed = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies })
    const named = firstCells('Why each dependency is here').flatMap(quoted)
    const covers = (name: string, one: string): boolean =>
      name === one || (name.endsWith('*') && one.startsWith(name.slice(0, -1)))
    const isNamed = (one: string): boolean => one.startsWith('@types/') || named.some(name => covers(name, one))
    assert.deepEqual(
      installed.filter(one => !isNamed(one)),
      [],
      'without a reason',
    )
    assert.deepEqual(
      named.filter(name => !installed.some(one => covers(name, one))),
      [],
      'not installed',
    )
  })

  test('says what each command does, and how long it takes', () => {
    const named = firstCells('Set-up').flatMap(quoted)
    const commands = Object.keys(packages.scripts).map(name =>
      ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`,
    )
    assert.deepEqual(
      commands.filter(command => !named.includes(command)),
      [],
    )
    for (const command of commands) assert.match(rowOf(command), /second|minute|hour|as long/, command)
  })

  test('lists the checks of npm run check', () => {
    const [, list = ''] = /^const checks = \[$(.*?)^\]$/ms.exec(read('scripts/check.mjs')) ?? []
    const names = [...list.matchAll(/^ +(?:\[)?'([a-z -]+)',/gm)].map(([, name]) => name)
    assert.ok(names.length >= 10)
    assert.equal(rowOf('npm run check').split(' | ')[1]?.split(';')[0], names.join(', '))
  })

  test('explains each rule about imports', () => {
    const { forbidden } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
      readonly forbidden: readonly { readonly name: string }[]
    }
    const rules = new Set(forbidden.map(({ name }) => name.replace(/^.*(?=-imports-downward$)/, '…')))
    assert.deepEqual(firstCells('Layout').flatMap(quoted).sort(), [...rules].sort())
  })

  test('names only files that exist', () => {
    const paths = quoted(text).filter(word =>
      /^(src|test|scripts|docs|bench|deploy|examples|migrations)\/[\w./-]+$/.test(word),
    )
    assert.ok(paths.length > 20)
    const isThere = (path: string): boolean =>
      ['', '.test.ts'].some(end => existsSync(new URL(`${path}${end}`, project)))
    assert.deepEqual(
      paths.filter(path => !isThere(path)),
      [],
    )
  })
})
