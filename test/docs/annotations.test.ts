// Annotations are explained in docs/api.md (made by src/graphql/document-api/) and docs/privacy.md: every one that comments of
// the database have or the code reads, and no other.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { useDatabase } from '../data-model/use-database.ts'

const project = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, project), 'utf8')

const explained = new Set(
  [
    read('docs/api.md').split('\n## The schema follows the database\n')[1]?.split('\n## ')[0] ?? '',
    read('docs/privacy.md'),
  ].flatMap(text =>
    [...text.matchAll(/^\|[^|]*\|?[^|]*`@[^|]*\|/gm)].flatMap(([cells]) =>
      [...cells.matchAll(/`@([a-z_]+)/g)].map(([, name = '']) => name),
    ),
  ),
)

const textOf = (pattern: string): string => globSync(pattern, { cwd: project.pathname }).map(read).join('\n')

describe('annotations', () => {
  const model = useDatabase()

  test('in comments of the database are all explained', async () => {
    const rows = await model().owner.query<{ name: string }>(sql`
      select distinct substr(split_part(line, ' ', 1), 2) as name
      from pg_description, lateral unnest((regexp_match(description, '^(?:@[^\n]*(?:\n|$))+'))) head, string_to_table(head, '\n') line
      where line like '@%' order by 1`)
    assert.ok(rows.length > 20, 'there are annotations')
    assert.deepEqual(
      rows.map(({ name }) => name).filter(name => !explained.has(name)),
      [],
    )
  })

  test('that the code reads are all explained, and all that are explained are read', () => {
    const source = textOf('src/{catalog,own-data,audit,changes}/**/!(*.test).ts')
    const asked = [...source.matchAll(/\b(?:annotations|repeated)\??\.(?:get|has)\('(\w+)'/g)].map(
      ([, name = '']) => name,
    )
    assert.deepEqual(
      [...new Set(asked)].filter(name => !explained.has(name)),
      [],
    )
    const everywhere = `${source}\n${textOf('migrations/**/*.sql')}`
    const isRead = (name: string): boolean =>
      new RegExp(`(?:get|has)\\('${name}'|\\|\\\\n\\)@${name}\\b|annotation\\(.*, '${name}'`).test(everywhere)
    assert.deepEqual(
      [...explained].filter(name => !isRead(name)),
      [],
    )
  })
})
