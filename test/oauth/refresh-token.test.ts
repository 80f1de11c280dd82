import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { sha256 } from '../../src/base/secrets.ts'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import {
  type Flow,
  getTokens,
  makeClient,
  makeFlow,
  readError,
  readTokens,
  refresh,
  revoke,
  type Tokens,
  userinfo,
  within,
} from '../support/oauth.ts'

let flow: Flow
const minaret = useMinaret({}, async running => {
  flow = await makeFlow(running)
})

const grantOf = ({ access_token: token }: Tokens): string => String(decodeJwt(token).grant_id)

/** As if the token had been used that many seconds ago. */
const usedAgo = (token: string, seconds: number): Promise<number> =>
  minaret().service.database.run(sql`
    update minaret.refresh_tokens set used_at = now() - make_interval(secs => ${seconds})
    where token_hash = ${sha256(token)}`)

const isLive = async (token: string): Promise<boolean> => (await userinfo(minaret(), token)).status === 200

test('a refresh gives a new access token, a successor and a new ID token without nonce', async () => {
  const first = await getTokens(minaret(), flow, { parameters: { nonce: 'once' } })
  const second = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.notEqual(second.access_token, first.access_token)
  assert.equal(second.scope, first.scope)
  assert.equal(grantOf(second), grantOf(first))
  assert.equal(decodeJwt(first.id_token).nonce, 'once')
  const claims = decodeJwt(second.id_token)
  assert.equal(claims.nonce, undefined)
  assert.equal(claims.sub, flow.user.id)
  assert.equal(claims.auth_time, decodeJwt(first.id_token).auth_time)
  assert.ok(await isLive(second.access_token))
})

test('a repeat within 10 seconds gets the same successor', async () => {
  const first = await getTokens(minaret(), flow)
  const second = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  await usedAgo(first.refresh_token, 9)
  const repeated = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  assert.equal(repeated.refresh_token, second.refresh_token)
  await readTokens(await refresh(minaret(), flow.app, second.refresh_token))
})

test('reuse after that revokes the whole family', async () => {
  const first = await getTokens(minaret(), flow)
  const second = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  await usedAgo(first.refresh_token, 11)
  assert.equal((await readError(await refresh(minaret(), flow.app, first.refresh_token))).error, 'invalid_grant')
  assert.equal((await readError(await refresh(minaret(), flow.app, second.refresh_token))).error, 'invalid_grant')
  await within(1000, 'the access tokens end', async () => {
    return !(await isLive(second.access_token)) && !(await isLive(first.access_token))
  })
})

test('one refresh token used 50 times at once leaves exactly one active family', async () => {
  const first = await getTokens(minaret(), flow)
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => refresh(minaret(), flow.app, first.refresh_token)),
  )
  const all = await Promise.all(responses.map(readTokens))
  assert.equal(new Set(all.map(tokens => tokens.refresh_token)).size, 1)
  const [row] = await minaret().service.database.query<{ unused: string }>(sql`
    select count(*) as unused from minaret.refresh_tokens
    where grant_id = ${grantOf(first)} and used_at is null and revoked_at is null`)
  assert.equal(row?.unused, '1')
  const [some] = all
  assert.ok(some)
  await readTokens(await refresh(minaret(), flow.app, some.refresh_token))
})

test('many different refresh tokens at once each get their own successor, and an invalid one affects no other', async () => {
  const families: Tokens[] = []
  for (let count = 0; count < 12; count += 1) families.push(await getTokens(minaret(), flow))
  const unknown = `rt_${'A'.repeat(43)}`
  const asked = families.flatMap(({ refresh_token: token }) => [token, unknown, token])
  const responses = await Promise.all(asked.map(token => refresh(minaret(), flow.app, token)))
  for (const [index, family] of families.entries()) {
    const [one, bad, same] = responses.slice(index * 3, index * 3 + 3)
    assert.ok(one && bad && same)
    const next = await readTokens(one)
    assert.equal(grantOf(next), grantOf(family))
    assert.equal((await readTokens(same)).refresh_token, next.refresh_token)
    assert.equal((await readError(bad)).error, 'invalid_grant')
    assert.equal(grantOf(await readTokens(await refresh(minaret(), flow.app, next.refresh_token))), grantOf(family))
  }
})

test('a revocation that races a refresh never leaves an active token', async () => {
  for (let round = 0; round < 8; round += 1) {
    const first = await getTokens(minaret(), flow)
    const race = [
      ...Array.from({ length: 6 }, () => refresh(minaret(), flow.app, first.refresh_token)),
      revoke(minaret(), flow.app, first.refresh_token),
    ]
    const responses = await Promise.all(round % 2 === 0 ? race : race.reverse())
    for (const { status } of responses) assert.ok(status === 200 || status === 400, `answered ${status}`)
    assert.equal((await race[round % 2 === 0 ? 6 : 0])?.status, 200)
    const bodies = await Promise.all(responses.map(response => response.text()))
    const issued = bodies.filter(body => body.includes('access_token')).map(body => JSON.parse(body) as Tokens)
    for (const tokens of [first, ...issued]) {
      assert.equal((await refresh(minaret(), flow.app, tokens.refresh_token)).status, 400)
      await within(1000, 'the access token ends', async () => !(await isLive(tokens.access_token)))
    }
  }
})

test('a revocation that waits for a repeated refresh, with the successor locked, and that refresh both end', async () => {
  const { database } = minaret().service
  const first = await getTokens(minaret(), flow)
  const next = await readTokens(await refresh(minaret(), flow.app, first.refresh_token))
  const ofFirst = sql`where token_hash = ${sha256(first.refresh_token)}`
  // Its row is now behind the successor's, so that a revocation comes to it last.
  await database.run(sql`update minaret.refresh_tokens set expires_at = expires_at + interval '1 second' ${ofFirst}`)
  const waiting = (count: number) =>
    within(30_000, `${count} of them wait`, async () => {
      const row = await database.first<{ many: number }>(sql`
        select count(*)::int as many from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
      return (row?.many ?? 0) >= count
    })
  const { repeated, revoked } = await database.transaction(async transaction => {
    await transaction.run(sql`select from minaret.refresh_tokens ${ofFirst} for update`)
    const repeated = refresh(minaret(), flow.app, first.refresh_token)
    await waiting(1)
    const revoked = revoke(minaret(), flow.app, next.refresh_token)
    await waiting(2)
    return { repeated: [repeated], revoked: [revoked] }
  })
  assert.equal((await Promise.all(revoked))[0]?.status, 200)
  const [answer] = await Promise.all(repeated)
  assert.equal(answer?.status, 200)
  assert.equal((await refresh(minaret(), flow.app, next.refresh_token)).status, 400)
})

test('a refresh may narrow the scope of its access token, but never widen it', async () => {
  const first = await getTokens(minaret(), flow, { scope: 'openid masjid:read events:read' })
  const narrow = await readTokens(await refresh(minaret(), flow.app, first.refresh_token, 'masjid:read'))
  assert.equal(narrow.scope, 'masjid:read')
  assert.equal(narrow.id_token, undefined)
  const wide = await refresh(minaret(), flow.app, narrow.refresh_token, 'masjid:read members:read')
  assert.equal((await readError(wide)).error, 'invalid_scope')
  const whole = await readTokens(await refresh(minaret(), flow.app, narrow.refresh_token))
  assert.equal(whole.scope, 'openid masjid:read events:read')
})

test('scopes that a reviewer withdrew from the app are not issued again', async () => {
  const own = await makeFlow(minaret())
  const first = await getTokens(minaret(), own, { scope: 'openid masjid:read events:read' })
  const { database } = minaret().service
  await database.run(sql`update minaret.apps set scopes = array_remove(scopes, 'events:read') where id = ${own.app.id}`)
  let { refresh_token: token } = first
  await within(1000, 'the scope is gone', async () => {
    const next = await readTokens(await refresh(minaret(), own.app, token))
    token = next.refresh_token
    return next.scope === 'openid masjid:read'
  })
})

test('refused: a token of another app, an unknown, an idle or an expired one, or none', async () => {
  const tokens = await getTokens(minaret(), flow)
  const { database } = minaret().service
  const other = await makeClient(database)
  const error = async (token: string, app = flow.app) => (await readError(await refresh(minaret(), app, token))).error
  assert.equal(await error(tokens.refresh_token, other), 'invalid_grant')
  assert.equal(await error('rt_unknown'), 'invalid_grant')
  assert.equal(await error(tokens.access_token), 'invalid_grant')
  assert.equal(await error(''), 'invalid_request')
  for (const column of ['idle_expires_at', 'expires_at'] as const) {
    const { refresh_token: token } = await getTokens(minaret(), flow)
    const expire =
      column === 'expires_at'
        ? sql`update minaret.refresh_tokens set expires_at = now() where token_hash = ${sha256(token)}`
        : sql`update minaret.refresh_tokens set idle_expires_at = now() where token_hash = ${sha256(token)}`
    await database.run(expire)
    assert.equal(await error(token), 'invalid_grant', column)
  }
  await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
})

test('a confidential app must authenticate to refresh', async () => {
  const own = await makeFlow(minaret(), { kind: 'confidential' })
  const tokens = await getTokens(minaret(), own)
  const refused = await refresh(minaret(), { ...own.app, secret: '' }, tokens.refresh_token)
  assert.equal(refused.status, 401)
  await readTokens(await refresh(minaret(), own.app, tokens.refresh_token))
})

test('a refresh token is valid for 30 days without use and 180 in all, and is stored only as a digest', async () => {
  const tokens = await getTokens(minaret(), flow)
  const next = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  const rows = await minaret().service.database.query<{ idle: number; total: number; text: string }>(sql`
    select extract(epoch from idle_expires_at - refresh_tokens.created_at)::int / 86400 as idle,
      extract(epoch from expires_at - grants.created_at)::int / 86400 as total, refresh_tokens::text as text
    from minaret.refresh_tokens join minaret.grants on grants.id = grant_id where grant_id = ${grantOf(tokens)}`)
  assert.equal(rows.length, 2)
  for (const { idle, total, text } of rows) {
    assert.deepEqual([idle, total], [30, 180])
    for (const token of [tokens.refresh_token, next.refresh_token]) assert.ok(!text.includes(token))
  }
})

test('disabling a user revokes every token', async () => {
  const own = await makeFlow(minaret())
  const tokens = await getTokens(minaret(), own)
  await minaret().service.database.run(sql`update minaret.users set disabled_at = now() where id = ${own.user.id}`)
  assert.equal((await readError(await refresh(minaret(), own.app, tokens.refresh_token))).error, 'invalid_grant')
  await within(1000, 'the access token ends', async () => !(await isLive(tokens.access_token)))
})
