import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { rawSql, sql } from '../../src/db/sql.ts'
import { makeApp, makePendingApp, makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

const migration = readFileSync(new URL('../../migrations/identity/0060_claims.sql', import.meta.url), 'utf8')

const undo = `
  drop table device_codes; drop trigger grants_claims_agreed on grants; drop trigger grants_claims_kept on grants;
  drop function check_grant_claims; drop trigger apps_check_claims on apps; alter table apps drop column plain_claims;
  alter table grants drop column claims; alter table consents drop column claims; drop function are_claims;`

test('apps approved earlier keep the claims of their scopes; consents and grants have no claims', async () => {
  const { database } = minaret().service
  const scopes = ['openid', 'profile', 'email', 'masjid:read'] as const
  const whole = await makeApp(database, { scopes })
  const some = await makeApp(database, { scopes, granted: ['openid', 'email'] })
  const none = await makeApp(database, { scopes, granted: ['masjid:read'] })
  const waiting = await makePendingApp(database, { scopes })
  const user = await makeUser(database, { hashed: false })
  await database.transaction(async transaction => {
    await transaction.run(sql`set local search_path = minaret`)
    for (const statement of undo.split(';').filter(text => text.trim() !== '')) await transaction.run(rawSql(statement))
    await transaction.run(
      sql`insert into consents (user_id, app_id, scopes) values (${user.id}, ${whole.id}, ${scopes})`,
    )
    await transaction.run(sql`
      insert into grants (user_id, app_id, scopes, auth_time) values (${user.id}, ${whole.id}, ${scopes}, now())`)
    await transaction.run(rawSql(migration))
  })
  const plainClaims = async (id: string) =>
    (await database.first<{ claims: string[] }>(sql`select plain_claims as claims from minaret.apps where id = ${id}`))
      ?.claims
  assert.deepEqual(await plainClaims(whole.id), ['email', 'name', 'picture'])
  assert.deepEqual(await plainClaims(some.id), ['email'])
  assert.deepEqual(await plainClaims(none.id), [])
  assert.deepEqual(await plainClaims(waiting), ['email', 'name', 'picture'])
  const recorded = await database.query(sql`
    select claims from minaret.consents union all select claims from minaret.grants`)
  assert.deepEqual(recorded, [{ claims: [] }, { claims: [] }])
})
