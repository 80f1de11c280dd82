// Lifetimes that an app chose: in its tokens, in the console, within bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import {
  type Lifetimes,
  lifetimeBounds,
  lifetimeColumn,
  lifetimeNames,
  setLifetimes,
} from '../../src/apps/lifetimes.ts'
import { commandActor as actor } from '../../src/audit/record-audit.ts'
import { appLifetimesCommand } from '../../src/commands/app-lifetimes.ts'
import { identifier, sql } from '../../src/db/sql.ts'
import { visitAs } from '../staff/use-staff.ts'
import { useMinaret } from '../support/minaret.ts'
import { getTokens, makeClient, makeFlow, makePerson, readTokens, refresh, within } from '../support/oauth.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const HOUR = 3600
const DAY = 24 * HOUR

/** Of the newest refresh token of an app, in seconds from when it was issued. */
const lifetimesOf = async (appId: string) =>
  database().first<{ idle: number; total: number }>(sql`
    select round(extract(epoch from idle_expires_at - created_at))::int as idle,
      round(extract(epoch from expires_at - created_at))::int as total
    from minaret.refresh_tokens where app_id = ${appId} order by created_at desc limit 1`)

test('tokens live as long as their app chose, also after a refresh', async () => {
  const flow = await makeFlow(minaret())
  const chosen = { accessSeconds: 300, refreshIdleSeconds: 8 * HOUR, refreshTotalSeconds: 7 * DAY }
  await setLifetimes(database(), { appId: flow.app.id, actor, ...chosen })
  await within(1000, 'every process knows', async () => (await getTokens(minaret(), flow)).expires_in === 300)
  const tokens = await getTokens(minaret(), flow)
  const { iat = 0, exp = 0 } = decodeJwt(tokens.access_token)
  assert.equal(exp - iat, 300)
  assert.deepEqual(await lifetimesOf(flow.app.id), { idle: 8 * HOUR, total: 7 * DAY })
  await setLifetimes(database(), { appId: flow.app.id, actor, ...chosen, refreshIdleSeconds: HOUR })
  const next = await readTokens(await refresh(minaret(), flow.app, tokens.refresh_token))
  assert.equal(next.expires_in, 300)
  assert.equal((await lifetimesOf(flow.app.id))?.idle, HOUR)
})

test('the console offers lifetimes, and nothing beyond the bounds is accepted, by the database neither', async () => {
  const owner = await makePerson(database())
  const app = await makeClient(database(), { ownerId: owner.id })
  const person = await visitAs(minaret(), owner)
  const page = `/console/apps/${app.id}`
  const send = (accessSeconds: string, refreshIdleSeconds = String(DAY), refreshTotalSeconds = String(30 * DAY)) =>
    person.submit(`${page}/settings`, `${page}/lifetimes`, { accessSeconds, refreshIdleSeconds, refreshTotalSeconds })
  assert.equal((await send('900')).location, `${page}/settings?done=lifetimes`)
  assert.match((await person.get(page)).text, /15 minutes \/ 1 day \/ 30 days/)
  for (const wrong of ['1', '3601', 'NaN', '', '900.5']) assert.equal((await send(wrong)).status, 422, wrong)
  assert.equal((await send('900', String(31 * DAY))).status, 422)
  assert.equal((await send('900', String(30 * DAY), String(DAY))).status, 422, 'in all shorter than without use')
  await assert.rejects(database().run(sql`update minaret.apps set access_seconds = 86400 where id = ${app.id}`), {
    code: '23514',
  })
})

test('every lifetime is stored, also for the development client, and put back if the account is taken back', async () => {
  const owner = await makePerson(database())
  const { id: appId } = await makeClient(database(), { ownerId: owner.id })
  const chosen = Object.fromEntries(lifetimeNames.map(name => [name, lifetimeBounds[name][1]]))
  const [rule] = await database().query<{ watched: string[] }>(sql`
    select watched from minaret.take_back_rules where table_name = 'minaret.apps'`)
  for (const name of lifetimeNames) {
    // One at a time, as the development client follows what changed.
    const [least] = lifetimeBounds[name]
    chosen[name] = least
    await setLifetimes(database(), { appId, actor, ...(chosen as Record<keyof Lifetimes, number>) })
    const column = lifetimeColumn(name)
    const rows = await database().query(sql`
      select ${identifier(column)} as seconds from minaret.apps where ${appId} in (id, development_of)`)
    assert.deepEqual(rows, [{ seconds: least }, { seconds: least }], name)
    assert.ok(rule?.watched.includes(column), column)
  }
})

test('the command has an option for every lifetime', () => {
  const options = lifetimeNames.map(name => lifetimeColumn(name).replace('_seconds', '').replaceAll('_', '-'))
  assert.deepEqual(
    options.filter(name => !Object.hasOwn(appLifetimesCommand.options, name)),
    [],
  )
})
