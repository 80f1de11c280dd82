// Attacks around the tokens and the contents of screens: used elsewhere, revoked with a stream open, hostile texts and logos.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { announce } from '../../masjid/use-masjid-page.ts'
import { type Keeper, makeKeeper, pairScreen, readState, screenApp } from '../../screens/pair-screen.ts'
import { openStream } from '../../screens/screen-stream.ts'
import { makeApp, makeKey } from '../../support/apps.ts'
import { insertEvent } from '../../support/events.ts'
import { insertRule } from '../../support/iqamah.ts'
import { startTestMinaret, useMinaret } from '../../support/minaret.ts'
import {
  basic,
  getTokens,
  makeClient,
  makeFlow,
  postForm,
  readError,
  readTokens,
  refresh,
  revoke,
  userinfo,
  within,
} from '../../support/oauth.ts'
import { decodeHtml } from '../../support/person.ts'
import { untilSettled } from '../../support/settled.ts'

let keeper: Keeper
let other: Keeper
const minaret = useMinaret({}, async running => {
  keeper = await makeKeeper(running)
  other = await makeKeeper(running)
  await untilSettled(running.service.database)
})
const database = () => minaret().service.database

test('no token of a person, no API key and no token without its signature opens a state or a stream', async () => {
  const { access_token: person } = await getTokens(minaret(), await makeFlow(minaret()))
  const app = await makeApp(database())
  const key = await makeKey(database(), { appId: app.id, scopes: ['masjid:read'] })
  const { access_token: screen, refresh_token: renewal } = await pairScreen(minaret(), keeper, 'Copied')
  const unsigned = `${screen.slice(0, screen.lastIndexOf('.'))}.`
  for (const token of [person, key.key, renewal, unsigned, `${screen}x`]) {
    assert.equal((await readState(minaret(), token)).status, 401)
    assert.equal((await openStream(minaret(), token)).status, 401)
  }
})

test('a screen reads its own masjid, whatever else it asks for', async () => {
  await announce(minaret(), other.masjid, { title: 'Of the others' })
  const { access_token: token } = await pairScreen(minaret(), keeper, 'Nosy')
  for (const query of [`masjid=${other.masjid.id}`, `masjid_id=${other.masjid.id}`, `grant_id=${other.masjid.id}`]) {
    const response = await fetch(`${minaret().baseUrl}/screen/state?${query}`, {
      headers: { authorization: `Bearer ${token}`, 'x-masjid-id': other.masjid.id },
    })
    assert.doesNotMatch(await response.text(), /Of the others/)
  }
})

test('a screen whose token was revoked, or that was disconnected, is refused, and all of its streams end', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Stolen')
  const stream = await openStream(minaret(), tokens.access_token)
  assert.equal((await revoke(minaret(), screenApp, tokens.refresh_token)).status, 200)
  await within(30_000, 'the stream has ended', async () => stream.isOver)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 401)
  assert.equal((await openStream(minaret(), tokens.access_token)).status, 401)

  const another = await pairScreen(minaret(), keeper, 'Sold')
  const streams = [await openStream(minaret(), another.access_token), await openStream(minaret(), another.access_token)]
  await database().run(sql`
    update minaret.grants set revoked_at = now() where id = (select grant_id from minaret.screens where name = 'Sold')`)
  await within(30_000, 'both streams have ended', async () => streams.every(({ isOver }) => isOver))
  const known = streams.map(({ events }) => events.length)
  await announce(minaret(), keeper.masjid, { title: 'After the end' })
  assert.equal((await refresh(minaret(), screenApp, another.refresh_token)).status, 400)
  assert.deepEqual(
    streams.map(({ events }) => events.length),
    known,
  )
})

test('a screen’s access token that is revoked is refused at once, and its streams end; the screen goes on with a new one', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Overheard')
  const stream = await openStream(minaret(), tokens.access_token)
  const stranger = await makeClient(database(), { kind: 'confidential' })
  assert.equal((await revoke(minaret(), stranger, tokens.access_token)).status, 200)
  assert.equal((await readState(minaret(), tokens.access_token)).status, 200, 'another app revokes nothing')

  assert.equal((await revoke(minaret(), screenApp, tokens.access_token)).status, 200)
  await within(
    1000,
    'the state is refused',
    async () => (await readState(minaret(), tokens.access_token)).status === 401,
  )
  await within(1000, 'the stream has ended', async () => stream.isOver)
  assert.equal(stream.events.at(-1)?.name, 'ended')
  assert.equal((await openStream(minaret(), tokens.access_token)).status, 401)

  const renewed = await readTokens(await refresh(minaret(), screenApp, tokens.refresh_token))
  assert.equal((await readState(minaret(), renewed.access_token)).status, 200)
})

test('every process refuses it', async () => {
  const { baseUrl } = minaret()
  const other = await startTestMinaret({ DATABASE_URL: minaret().databaseUrl, BASE_URL: baseUrl })
  try {
    const beside = { ...other, baseUrl: `http://127.0.0.1:${other.service.port}` }
    const { access_token: token } = await pairScreen(minaret(), keeper, 'In two places')
    const stream = await openStream(beside, token)
    assert.equal(stream.status, 200)
    await revoke(minaret(), screenApp, token)
    await within(1000, 'refused there too', async () => (await readState(beside, token)).status === 401)
    await within(1000, 'the stream there has ended', async () => stream.isOver)
  } finally {
    await other.stop()
  }
})

test('a screen’s token is still good for nothing else, and nobody can introspect it', async () => {
  const { access_token: token } = await pairScreen(minaret(), keeper, 'Probed')
  const stranger = await makeClient(database(), { kind: 'confidential' })
  const address = `${minaret().baseUrl}/oauth/introspect`
  const asked = await postForm(address, { token }, basic(stranger))
  assert.deepEqual([asked.status, await asked.json()], [200, { active: false }])
  const itself = await postForm(address, { token, client_id: screenApp.clientId })
  assert.deepEqual([itself.status, (await readError(itself)).error], [400, 'unauthorized_client'])
  assert.equal((await userinfo(minaret(), token)).status, 401)
})

test('markup in every text that a screen shows stays text', async () => {
  const evil = '</h2><script>alert(1)</script><img src=x onerror=alert(2)>"\'<!--'
  const target = await makeKeeper(minaret())
  const { id } = target.masjid
  await insertRule(database(), id, { prayer: 'jumuah', rule: 'fixed', fixed_time: '13:15', khutbah_minutes: 20 })
  await database().run(sql`update pc_iqamah_schedules set label = ${evil}, imam = ${evil} where masjid_id = ${id}`)
  await database().run(sql`update up_masjids set name = ${evil}, name_ar = ${evil} where id = ${id}`)
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await insertEvent(database(), id, { title: evil, starts_local: `${tomorrow} 19:30` })
  await database().run(sql`update up_events set location = ${evil} where masjid_id = ${id}`)
  await announce(minaret(), target.masjid, { title: evil, body: evil, kind: 'janazah' })
  await database().run(sql`
    update up_announcements set janazah_place = ${evil}, burial_place = ${evil}, deceased_name = ${evil} where masjid_id = ${id}`)
  await untilSettled(database())
  const { access_token: token } = await pairScreen(minaret(), target, evil.slice(0, 60))
  await database().run(sql`update minaret.screens set settings = '{"language": "en-ar"}' where masjid_id = ${id}`)
  const state = (await (await readState(minaret(), token)).json()) as Record<'days' | 'notices', { html: string }[]>
  const markup = [...state.days, ...state.notices].map(({ html }) => html).join('\n')
  for (const hidden of ['<script', '<img', '<!--']) assert.ok(!markup.includes(hidden), hidden)
  // It is there, as text: label and imam, the event with its place, the janazah with both of its places.
  assert.ok(decodeHtml(markup).split('<script>').length > 6)
  assert.doesNotMatch(
    (await target.person.get(`/staff/${target.masjid.slug}/screens`)).text,
    /<script>alert|<img src=x/,
  )
})

/** Counts who connects. */
const listen = async (onConnection: () => void): Promise<Server> => {
  const server = createServer(socket => {
    onConnection()
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

test('a hostile logo is never fetched from inside, never loaded by the screen, and never shown', async () => {
  const own = await makeKeeper(minaret())
  const { access_token: token } = await pairScreen(minaret(), own, 'Tricked')
  const list = await own.person.get(`/staff/${own.masjid.slug}/screens`)
  const path = /href="(\/staff\/[^"]+\/screens\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? ''
  let connections = 0
  const inside = await listen(() => {
    connections += 1
  })
  try {
    const { port } = inside.address() as AddressInfo
    const usual = { name: 'Tricked', language: 'en', clock: '24', type: 'normal', ground: '#000000', accent: '#ffdd55' }
    const save = async (logo: string): Promise<number> =>
      (await own.person.submit(path, path, { ...usual, logo, dark_minutes: '10' })).status
    for (const refused of [
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'http://example.org/x.png',
      '//evil.test/x',
      'file:///etc/passwd',
    ])
      assert.equal(await save(refused), 422, refused)
    for (const logo of [
      `https://127.0.0.1:${port}/x.png`,
      `https://localhost:${port}/x.png`,
      `https://[::1]:${port}/x.png`,
    ]) {
      if ((await save(logo)) === 422) continue
      await within(60_000, `${logo} was judged`, async () => {
        const row = await database().first<{ tried: boolean }>(sql`
          select reason is not null or state <> 'waiting' as tried from minaret.images where address = ${logo}`)
        return row?.tried === true
      })
      const state = (await (await readState(minaret(), token)).json()) as { look: { logo: string | null } }
      assert.equal(state.look.logo, null, logo)
    }
    assert.equal(connections, 0)
    const policy = (await fetch(`${minaret().baseUrl}/screen`)).headers.get('content-security-policy') ?? ''
    assert.match(policy, /img-src 'self' data:;/)
  } finally {
    inside.close()
  }
})
