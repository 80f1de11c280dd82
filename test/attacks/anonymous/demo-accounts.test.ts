// Somebody who tries the publicly known demo accounts on a service in production.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEMO_PASSWORD, demoUsers } from '../../../src/accounts/demo-users.ts'
import { sql } from '../../../src/db/sql.ts'
import { useMinaret } from '../../support/minaret.ts'

const minaret = useMinaret({ NODE_ENV: 'production', BASE_URL: 'https://id.example.org', DEMO_DATA: 'on' })

test('in production there are no demo accounts, and the sign-in page names none', async () => {
  const text = await (await fetch(`http://127.0.0.1:${minaret().service.port}/sign-in`)).text()
  assert.match(text, /name="password"/)
  for (const known of [DEMO_PASSWORD, 'data-demo', ...demoUsers.map(({ email }) => email)])
    assert.ok(!text.includes(known), known)
  const created = await minaret().service.database.query(sql`
    select from minaret.users where email = any(${demoUsers.map(({ email }) => email)})`)
  assert.equal(created.length, 0)
})
