// docs/operations.md lists every check of `minaret doctor`, which programs rely on by name.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const project = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, project), 'utf8')

test('the table of checks has each that minaret doctor makes, and no other', () => {
  const code = globSync('src/commands/doctor/*.ts', { cwd: project.pathname })
    .filter(path => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n')
  const made = code.matchAll(/(?:\b(?:ok|warning|fault|skipped|look)\(\s*|\bcheck: |\bNAME = )'([a-z-]+)'/g)
  const table = read('docs/operations.md').split('| checks | a fault if |')[1]?.split('\n\n')[0] ?? ''
  const listed = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  )
  assert.deepEqual(listed.sort(), [...new Set([...made].map(([, name]) => name))].sort())
})
