// docs/conformance.md names a test for every rule, docs/security.md one for every attack; every one must exist.
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

/** A title may be a template: the parts between `${…}` must appear in order. */
const hasTitle = (source: string, title: string): boolean => {
  const quoted = [`'${title.replaceAll("'", "\\'")}'`, `"${title}"`, `\`${title}\``]
  if (quoted.some(text => source.includes(text))) return true
  const templates = [...source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)].map(([, template = '']) => template)
  return templates.some(template => {
    const parts = template.split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/).map(part => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    // A template of values alone would match any title.
    return parts.join('') !== '' && new RegExp(`^${parts.join('.+')}$`).test(title)
  })
}

const isMissing = ({ file, title }: Named): boolean => {
  const path = new URL(file, root)
  return !existsSync(path) || !hasTitle(readFileSync(path, 'utf8'), title)
}

const rowsOf = (document: string): string[] => {
  const threats = document.indexOf('## Threat model')
  const lines = document.slice(Math.max(0, threats)).split('\n')
  return lines.filter(line => line.startsWith('|') && !/^\|\s*(rule|tries|-)/.test(line))
}

for (const name of ['docs/conformance.md', 'docs/security.md']) {
  const document = readFileSync(new URL(name, root), 'utf8')

  test(`every test that ${name} names exists`, () => {
    const named = namedTests(document)
    assert.ok(named.length > 10, 'the document names tests')
    assert.deepEqual(named.filter(isMissing), [])
  })

  test(`every row of ${name} has a test`, () => {
    assert.deepEqual(
      rowsOf(document).filter(line => namedTests(`${line}\n`).length === 0),
      [],
    )
  })
}
