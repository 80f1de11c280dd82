// docs/conformance.md names a test for every rule, docs/security.md one for every attack, docs/openid-conformance.md one for
// every module of OpenID's plans; every one must exist.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isMissing, namedTests } from '../support/named-tests.ts'

const root = new URL('../../', import.meta.url)

/** Where the rows begin that need a test. */
const beginnings = {
  'docs/conformance.md': '',
  'docs/security.md': '## Threat model',
  'docs/openid-conformance.md': '## Modules',
}

const rowsOf = (document: string, beginning: string): string[] => {
  const lines = document.slice(document.indexOf(beginning)).split('\n')
  return lines.filter(
    (line, index) => line.startsWith('|') && !/^\|\s*-/.test(line) && !/^\|\s*-/.test(lines[index + 1] ?? ''),
  )
}

const read = (name: string): string => readFileSync(new URL(name, root), 'utf8')

for (const [name, beginning] of Object.entries(beginnings)) {
  const document = read(name)

  test(`every test that ${name} names exists`, () => {
    const named = namedTests(document)
    assert.ok(named.length > 10, 'the document names tests')
    assert.deepEqual(named.filter(isMissing), [])
  })

  test(`every row of ${name} has a test`, () => {
    assert.deepEqual(
      rowsOf(document, beginning).filter(line => namedTests(`${line}\n`).length === 0),
      [],
    )
  })
}

test('the rules fit a head: each is one short row, once', () => {
  const rules = rowsOf(read('docs/conformance.md'), '').map(row => row.split(' | `')[0] ?? '')
  // A merge that brings deleted rows back, and features that are no rules of the specification, end here.
  assert.ok(rules.length <= 300, `${rules.length} rows: the head of the document says what belongs there`)
  assert.deepEqual(
    rules.filter(rule => rule.split(' ').length > 40),
    [],
  )
  assert.deepEqual(
    rules.filter((rule, index) => rules.indexOf(rule) !== index),
    [],
  )
})
