// docs/conformance.md names a test for every rule; each of them must exist.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('../../', import.meta.url)

interface Named {
  readonly file: string
  readonly title: string
}

/** Rows look like: | rule | `test/x.test.ts` · title of the test | */
const namedTests = (document: string): Named[] =>
  [...document.matchAll(/`((?:test|src|demo|examples)\/[^`]+\.test\.ts)` · ([^|]+?)\s*(?:\||<br>)/g)].map(
    ([, file = '', title = '']) => ({ file, title }),
  )

/** A title may be built from a template: what stands between `${…}` must be there in order. */
const hasTitle = (source: string, title: string): boolean => {
  const quoted = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``]
  if (quoted.some(text => source.includes(text))) return true
  const templates = [...source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map(([, template = '']) => template)
  return templates.some(template => {
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${parts.join('.+')}$`).test(title)
  })
}

test('every test that docs/conformance.md names exists', () => {
  const named = namedTests(readFileSync(new URL('docs/conformance.md', root), 'utf8'))
  assert.ok(named.length > 10, 'the document names tests')
  const missing = named.filter(({ file, title }) => {
    const path = new URL(file, root)
    return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title)
  })
  assert.deepEqual(missing, [])
})

test('every rule in docs/conformance.md has a test', () => {
  const lines = readFileSync(new URL('docs/conformance.md', root), 'utf8').split('\n')
  const rules = lines.filter(line => line.startsWith('|') && !/^\|\s*(rule|-)/.test(line))
  assert.deepEqual(
    rules.filter(line => namedTests(`${line}\n`).length === 0),
    [],
  )
})
