// The stream of a screen over HTTP: told of what it shows and of nothing else, ended with the screen, bounded.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from '../../src/db/sql.ts'
import { announce } from '../masjid/use-masjid-page.ts'
import { insertRule } from '../support/iqamah.ts'
import { useMinaret } from '../support/minaret.ts'
import { within } from '../support/oauth.ts'
import { untilSettled } from '../support/settled.ts'
import { startWatch } from '../support/waited.ts'
import { addScreens, type Keeper, makeKeeper, pairScreen, readState } from './pair-screen.ts'
import { openStream, type ScreenEvent, type ScreenStream } from './screen-stream.ts'

let keeper: Keeper
const minaret = useMinaret({}, async running => {
  keeper = await makeKeeper(running)
  await untilSettled(running.service.database)
})
const database = () => minaret().service.database

/** How long a screen may be behind. */
const SOON_MS = 2000

/** A stream whose first events have arrived: what was there before it was opened. */
const followed = async (token: string): Promise<ScreenStream> => {
  const stream = await openStream(minaret(), token)
  assert.equal(stream.status, 200)
  await within(30_000, 'the stream is open', async () => stream.events.length > 0)
  return stream
}

/** Those about this screen. What concerns all of them, such as a new table, may be told at any time. */
const ownEvents = ({ events }: ScreenStream): readonly ScreenEvent[] => events.filter(event => event.within === 0)

/**
 * The log has an order: what was written before this has been told by then. Once for what somebody else tells everybody, once for
 * ours, and once for what is told of a masjid after that, in the same look at the log.
 */
const untilTold = async (stream: ScreenStream): Promise<void> => {
  for (let round = 0; round < 3; round += 1) {
    const known = stream.events.length
    await database().run(sql`insert into changes.log (table_name, kind) values ('public.pc_hijri_months', 'bulk')`)
    await within(30_000, 'everybody is told', () => stream.events.slice(known).some(event => event.within >= 10_000))
  }
}

/** How long it takes until the screen is told of what `work` changes. */
const toldAfter = async (stream: ScreenStream, work: () => Promise<unknown>): Promise<number> => {
  const known = ownEvents(stream).length
  await work()
  const watch = startWatch()
  await within(30_000, 'the screen is told', async () => ownEvents(stream).length > known)
  return watch()
}

test('a screen is told of announcements, times, events and its own settings within 2 seconds', async () => {
  const tokens = await pairScreen(minaret(), keeper, 'Told')
  const stream = await followed(tokens.access_token)
  const { id } = keeper.masjid
  const changes: Record<string, () => Promise<unknown>> = {
    'an announcement': () => announce(minaret(), keeper.masjid, { title: 'News' }),
    'a rule for an iqamah': () => insertRule(database(), id, { prayer: 'asr', rule: 'offset', offset_minutes: 20 }),
    'the name of the masjid': () => database().run(sql`update public.up_masjids set name = 'Renamed' where id = ${id}`),
    'its settings': () =>
      database().run(sql`update minaret.screens set settings = '{"clock": "12"}' where name = 'Told'`),
  }
  const delays: number[] = []
  for (const [what, work] of Object.entries(changes)) {
    delays.push(await toldAfter(stream, work))
    assert.deepEqual(ownEvents(stream).at(-1), { name: 'change', within: 0 }, what)
  }
  // Where processors are shared, any of them may have had to wait.
  assert.ok(Math.min(...delays) < SOON_MS, String(delays))
  await stream.close()
})

test('a screen is not told of other masjids, nor of people; what concerns all screens is spread over time', async () => {
  const other = await makeKeeper(minaret())
  await untilSettled(database())
  const own = await followed((await pairScreen(minaret(), keeper, 'Ours')).access_token)
  const theirs = await followed((await pairScreen(minaret(), other, 'Theirs')).access_token)
  await toldAfter(theirs, () => announce(minaret(), other.masjid, { title: 'The first of theirs' }))
  await untilTold(theirs)
  const known = ownEvents(theirs).length
  await database().run(sql`
    insert into public.ua_members (masjid_id, given_name, role, status)
    values (${other.masjid.id}, 'Somebody', 'member', 'active')`)
  await toldAfter(own, () => announce(minaret(), keeper.masjid, { title: 'Only ours' }))
  await untilTold(theirs)
  assert.equal(ownEvents(theirs).length, known)
  await toldAfter(theirs, () => announce(minaret(), other.masjid, { title: 'Theirs' }))
  const everybody = [
    sql`update public.zone_offsets set rules = rules where zone = 'Africa/Casablanca'`,
    sql`create table public.pc_for_a_moment (id uuid primary key)`,
  ]
  for (const statement of everybody) {
    const before = [own, theirs].map(({ events }) => events.length)
    await database().run(statement)
    for (const [index, { events }] of [own, theirs].entries())
      await within(30_000, 'everybody is told', () => events.slice(before[index]).some(event => event.within >= 10_000))
  }
  await database().run(sql`drop table public.pc_for_a_moment`)
  await Promise.all([own.close(), theirs.close()])
})

test('a screen that listens is in contact, and one that was disconnected is told', async () => {
  const own = await makeKeeper(minaret())
  const tokens = await pairScreen(minaret(), own, 'Listening')
  const stream = await followed(tokens.access_token)
  const list = await own.person.get(`/staff/${own.masjid.slug}/screens`)
  assert.ok(list.text.includes('127.0.0.1'))
  const path = /href="(\/staff\/[^"]+\/screens\/[0-9a-f-]{36})"/.exec(list.text)?.[1] ?? ''
  await own.person.submit(path, `${path}/revoke`, {})
  await within(10_000, 'the stream has ended', async () => stream.isOver)
  assert.equal(stream.events.at(-1)?.name, 'ended')
  assert.equal((await openStream(minaret(), tokens.access_token)).status, 401)
})

test('a screen has a few streams at most; each that is closed makes room', async () => {
  const { access_token: token } = await pairScreen(minaret(), keeper, 'Greedy')
  const streams = await Promise.all(Array.from({ length: 5 }, () => followed(token)))
  assert.equal((await openStream(minaret(), token)).status, 429)
  await streams.pop()?.close()
  let last: ScreenStream | undefined
  await within(30_000, 'there is room again', async () => {
    last = await openStream(minaret(), token)
    return last.status === 200
  })
  await Promise.all([...streams, last].map(stream => stream?.close()))
})

const SCREENS = 60
const STREAMS_EACH = 5
const STREAMS = SCREENS * STREAMS_EACH
const SPREAD_MS = 20_000
/** Time runs faster for these screens than for real ones. */
const FASTER = 5

test('three hundred open screens that are told of one change ask one after the other, and every one is answered', async () => {
  const tokens = await addScreens(minaret(), keeper, SCREENS)
  const statuses: Promise<number>[] = []
  const askAfter = async (token: string, milliseconds: number): Promise<number> => {
    await wait(milliseconds)
    return (await readState(minaret(), token)).status
  }
  let isChanged = false
  /** As the script of the screen does it. */
  const askLater = (token: string) => {
    let isTold = false
    return ({ within: milliseconds }: ScreenEvent) => {
      if (milliseconds === 0 || isTold || !isChanged) return
      isTold = true
      assert.equal(milliseconds, SPREAD_MS)
      statuses.push(askAfter(token, (Math.random() * milliseconds) / FASTER))
    }
  }
  const streams = await Promise.all(
    tokens.flatMap(token => Array.from({ length: STREAMS_EACH }, () => openStream(minaret(), token, askLater(token)))),
  )
  try {
    await within(60_000, 'every stream is open', async () => streams.every(({ events }) => events.length > 0))
    isChanged = true
    await database().run(sql`insert into changes.log (table_name, kind) values ('public.pc_hijri_months', 'bulk')`)
    await within(60_000, 'everybody is told', async () => statuses.length >= STREAMS)
    const answered = await Promise.all(statuses)
    assert.deepEqual([answered.length, new Set(answered)], [STREAMS, new Set([200])])
  } finally {
    await Promise.all(streams.map(stream => stream.close()))
  }
})
