// Tables do not grow forever: expired rows are deleted, valid ones stay, in small batches, by one process at a time.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { tidyUp } from '../../src/apps/housekeeping.ts'
import { advisoryLocks } from '../../src/db/advisory-locks.ts'
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey, makeUser } from '../support/apps.ts'
import { useDatabase } from '../support/open-database.ts'

const database = useDatabase()

const countRows = async (): Promise<Record<string, number>> => {
  const row = await database().first<Record<string, number>>(sql`select
    (select count(*)::int from minaret.authorization_codes) as authorization_codes,
    (select count(*)::int from minaret.authorization_requests) as authorization_requests,
    (select count(*)::int from minaret.refresh_tokens) as refresh_tokens,
    (select count(*)::int from minaret.grants) as grants,
    (select count(*)::int from minaret.revocations) as revocations,
    (select count(*)::int from minaret.sessions) as sessions,
    (select count(*)::int from minaret.mail_tokens) as mail_tokens,
    (select count(*)::int from minaret.outbox) as outbox,
    (select count(*)::int from minaret.api_keys) as api_keys,
    (select count(*)::int from minaret.usage_minutes) as usage_minutes,
    (select count(*)::int from minaret.usage_hours) as usage_hours,
    (select count(*)::int from minaret.usage_queries) as usage_queries`)
  return row ?? {}
}

/** One row of everything, with the given age. */
const fill = async (age: string): Promise<void> => {
  const { id: app } = await makeApp(database())
  const { id: user } = await makeUser(database(), { hashed: false })
  const key = await makeKey(database(), { appId: app })
  const bytes = (): Buffer => randomBytes(32)
  const then = sql`now() - ${age}::interval`
  await database().run(sql`update minaret.api_keys set revoked_at = ${then} where id = ${key.id}`)
  await database().run(sql`delete from minaret.revocations where subject = ${key.id}`)
  await database().run(sql`insert into minaret.sessions (token_hash, user_id, created_at, expires_at)
    values (${bytes()}, ${user}, ${then}, ${then})`)
  const grant = await database().first<{
    id: string
  }>(sql`insert into minaret.grants (app_id, user_id, scopes, auth_time, created_at)
    values (${app}, ${user}, '{}', ${then}, ${then}) returning id`)
  await database().run(sql`insert into minaret.authorization_codes (code_hash, grant_id, app_id, user_id, redirect_uri,
    code_challenge, scopes, auth_time, expires_at) values (${bytes()}, ${grant?.id}, ${app}, ${user}, 'x', 'x', '{}', now(), ${then})`)
  await database().run(sql`insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at)
    values (${bytes()}, ${grant?.id}, ${app}, '{}', ${then}, now() + interval '1 year')`)
  await database().run(sql`insert into minaret.authorization_requests (reference_hash, app_id, parameters, expires_at)
    values (${bytes()}, ${app}, '{}', ${then})`)
  await database().run(
    sql`insert into minaret.revocations (kind, subject, expires_at) values ('token', ${app}, ${then})`,
  )
  await database().run(sql`insert into minaret.mail_tokens (token_hash, user_id, purpose, expires_at)
    values (${bytes()}, ${user}, 'confirm', ${then})`)
  await database().run(
    sql`insert into minaret.outbox (recipient, subject, text, created_at) values ('x', 'x', 'x', ${then})`,
  )
  await database().run(
    sql`insert into minaret.usage_minutes (app_id, minute) values (${app}, date_trunc('minute', ${then}))`,
  )
  await database().run(sql`insert into minaret.usage_hours (app_id, hour) values (${app}, date_trunc('hour', ${then}))`)
  await database().run(
    sql`insert into minaret.usage_queries (app_id, at, outcome, milliseconds, query) values (${app}, ${then}, 'slow', 1, 'x')`,
  )
}

const addMail = (count: number): Promise<number> =>
  database().run(sql`insert into minaret.outbox (recipient, subject, text, created_at)
    select 'x', 'x', 'x', now() - interval '1 year' from generate_series(1, ${count}::int)`)

test('expired rows are deleted from every table, valid ones stay', async () => {
  await fill('-1 day')
  const before = await countRows()
  assert.ok(
    Object.values(before).every(count => count === 1),
    JSON.stringify(before),
  )
  await tidyUp(database())
  assert.deepEqual(await countRows(), before, 'no valid row may be deleted')
  await fill('500 days')
  await tidyUp(database())
  assert.deepEqual(await countRows(), before, 'every expired row must be deleted')
})

test('one run deletes more than one batch', async () => {
  await addMail(2500)
  assert.equal((await tidyUp(database())).outbox, 2500)
})

test('while one process cleans up, another does not', async () => {
  await addMail(1)
  await database().transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.housekeeping})`)
    assert.deepEqual(await tidyUp(database()), {})
  })
  assert.deepEqual(await tidyUp(database()), { outbox: 1 })
})

test('cleaning up does not wait for the prayer job, which may run for minutes', async () => {
  await addMail(1)
  await database().transaction(async transaction => {
    await transaction.run(sql`select pg_advisory_xact_lock(${advisoryLocks.prayerJob})`)
    assert.deepEqual(await tidyUp(database()), { outbox: 1 })
  })
})

test('a flood of recorded queries is cut down to 50 per app', async () => {
  const { id: app } = await makeApp(database())
  await database().run(sql`insert into minaret.usage_queries (app_id, at, outcome, milliseconds, query)
    select ${app}, now() - make_interval(secs => n), outcome, n, 'x'
    from generate_series(1, 200) n, unnest(array['slow', 'refused']) outcome`)
  await tidyUp(database())
  const rows = await database().query(sql`select outcome, count(*)::int as count, max(milliseconds) as slowest
    from minaret.usage_queries where app_id = ${app} group by 1 order by 1`)
  assert.deepEqual(rows, [
    { outcome: 'refused', count: 50, slowest: 50 },
    { outcome: 'slow', count: 50, slowest: 200 },
  ])
})

test('a used refresh token is kept until it would have expired, so that reuse is detected', async () => {
  const { id: app } = await makeApp(database())
  const { id: user } = await makeUser(database(), { hashed: false })
  const grant = await database().first<{ id: string }>(sql`
    insert into minaret.grants (app_id, user_id, scopes, auth_time, created_at)
    values (${app}, ${user}, '{}', now(), now() - interval '60 days') returning id`)
  for (const days of [-20, -2, 10, 29])
    await database().run(sql`
      insert into minaret.refresh_tokens (token_hash, grant_id, app_id, scopes, idle_expires_at, expires_at, used_at)
      values (${randomBytes(32)}, ${grant?.id}, ${app}, '{}', now() + make_interval(days => ${days}),
        now() + interval '90 days', now() - interval '1 hour')`)
  await tidyUp(database())
  const row = await database().first(sql`select count(*)::int as kept,
    (select count(*)::int from minaret.grants where id = ${grant?.id}) as grants
    from minaret.refresh_tokens where grant_id = ${grant?.id}`)
  assert.deepEqual(row, { kept: 2, grants: 1 })
})
