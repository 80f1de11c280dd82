// Without a service, which would finish what is interrupted.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from '../../src/db/sql.ts'
import { urlOf } from '../support/database.ts'
import { inThisDatabase } from '../support/locks.ts'
import { TEST_SECRET } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { useDatabase } from '../support/open-database.ts'
import { runCommand } from '../support/process.ts'
import { findEverywhere, makeLife } from './life.ts'

const useOwn = useDatabase()
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('killed in the middle, an erasure is finished by the next process, and leaves nothing', async () => {
  const database = useOwn()
  const life = await makeLife(database)
  const environment = { DATABASE_URL: urlOf(database.connection), MINARET_SECRET: TEST_SECRET }
  const words = ['user', 'erase', '--email', life.user.email, '--now']
  const count = async (statement: ReturnType<typeof sql>) => (await database.query(statement)).length
  const members = sql`select from public.ua_members where id = ${life.memberId}`
  const erased = sql`select from minaret.users where id = ${life.user.id} and erased_at is not null`
  await database.transaction(async transaction => {
    // One of the last tables: whoever erases stops there.
    await transaction.run(sql`lock table minaret.outbox in access exclusive mode`)
    const child = spawn(process.execPath, [main, ...words], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await within(60_000, 'it waits for the lock', async () => {
      const waiting = sql`
        select from pg_locks where relation = 'minaret.outbox'::regclass and not granted
          and ${inThisDatabase}`
      return (await transaction.first(waiting)) !== undefined
    })
    child.kill('SIGKILL')
    assert.deepEqual(await exited, [null, 'SIGKILL'])
    assert.equal(await count(members), 0)
    assert.equal(await count(erased), 0)
  })
  assert.ok((await findEverywhere(database, life.user.email)).length > 0)
  const ended = await runCommand(words, environment)
  assert.equal(ended.status, 0, ended.stderr)
  assert.equal(await count(erased), 1)
  for (const mark of life.marks) assert.deepEqual(await findEverywhere(database, mark), [], mark)
  assert.equal(
    await count(sql`select from minaret.audit_log where action = 'account.erased' and user_id = ${life.user.id}`),
    1,
  )
})
