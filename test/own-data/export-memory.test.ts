// The download of somebody with very many rows is written in pieces: it takes no more memory than that of anybody else.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { makeUser } from '../support/apps.ts'
import { TEST_SECRET, useMinaret } from '../support/minaret.ts'
import { runMinaret, temporaryFolder } from '../support/process.ts'
import { readZip } from './read-zip.ts'

const minaret = useMinaret()

const ROWS = 20_000
const BYTES_OF_A_ROW = 4000
/** Of the process that exports, in MiB: less than the rows alone. */
const HEAP = 64

test('somebody with 80 MB of rows is exported by a process with a heap of 64 MB', async () => {
  const { database } = minaret().service
  const user = await makeUser(database, { hashed: false })
  await database.run(sql`
    insert into minaret.audit_log (action, actor_id, user_id, detail)
    select 'account.signed_in', ${user.id}, ${user.id}, jsonb_build_object('note', repeat('x', ${BYTES_OF_A_ROW}))
    from generate_series(1, ${ROWS})`)
  const folder = temporaryFolder()
  try {
    const { status, stderr } = await runMinaret(
      ['user', 'export', '--email', user.email, '--to', `${folder.path}/data.zip`],
      {
        DATABASE_URL: minaret().databaseUrl,
        MINARET_SECRET: TEST_SECRET,
        NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
      },
    )
    assert.equal(status, 0, stderr.slice(-2000))
    const files = await readZip(readFileSync(`${folder.path}/data.zip`))
    const lines = (files.get('audit_log.json') ?? '').split('\n').filter(line => line.startsWith('{'))
    assert.ok(lines.length >= ROWS, `${lines.length} rows`)
  } finally {
    folder.remove()
  }
})
