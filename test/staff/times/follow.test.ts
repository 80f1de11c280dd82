// Sheets on the web that are followed: fetched by a job, published when nothing is doubtful, asked about otherwise.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Dial } from '../../../src/outbound/guarded-fetch.ts'
import { type FollowedSource, listFollowed } from '../../../src/timetables/follow/followed.ts'
import { type ImageHost, only, openImageHost } from '../../support/image-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'
import type { Person } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'
import { confirmColumns } from './confirm-columns.ts'
import { uploadTo } from './upload-to.ts'
import { dayFrom, TOMORROW, yearCsv, yearIcs } from './year.ts'

describe('a followed sheet', () => {
  let host: ImageHost
  let minaret: TestMinaret
  before(async () => {
    host = await openImageHost()
    minaret = await startTestMinaret({}, { dial: { ...host.dial, timeoutMs: 4000 } })
  })
  after(async () => {
    await minaret.stop()
    await host.close()
  })
  const database = () => minaret.service.database

  /** Serves this text, and 304 to whoever has it. */
  const serve = (path: string, text: string, tag: string): void =>
    void host.answers.set(path, (request, response) => {
      if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end()
      response.writeHead(200, { etag: tag, 'content-type': 'text/csv' }).end(text)
    })

  const follow = async (path: string): Promise<{ masjid: Masjid; person: Person; base: string }> => {
    const masjid = await makeMasjid(database())
    await fillDays(database(), { from: dayFrom(TOMORROW, -2), days: 20 })
    const person = await visitAs(minaret, await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const base = `/staff/${masjid.slug}/times`
    const sent = await uploadTo(person, base, { address: `https://logo.test${path}` })
    assert.equal(sent.status, 303, sent.text)
    const draft = sent.location ?? ''
    assert.equal((await confirmColumns(person, draft)).location, `${draft}/preview`)
    assert.equal((await person.submit(`${draft}/preview`, `${draft}/publish`, {})).location, `${base}?done=followed`)
    return { masjid, person, base }
  }

  const sourceOf = async ({ id }: Masjid): Promise<FollowedSource | undefined> =>
    (await listFollowed(database(), id))[0]

  /** Its time has come: the service's own job fetches it. */
  const refresh = async (masjid: Masjid): Promise<FollowedSource | undefined> => {
    const before = Number((await sourceOf(masjid))?.lastAttemptAt)
    await database().run(sql`
      update followed_sources set next_attempt_at = now()
      where source_id in (select id from pc_prayer_sources where masjid_id = ${masjid.id})`)
    await database().run(sql`select pg_notify('minaret_followed_sources', '')`)
    await within(60_000, 'the source was fetched', async () => Number((await sourceOf(masjid))?.lastAttemptAt) > before)
    return sourceOf(masjid)
  }

  const ishaAt = async ({ id }: Masjid, date: string) =>
    (
      await database().first<{ at: string }>(sql`
        select source || ' ' || to_char(iqamah_local, 'HH24:MI') as at from pc_prayer_times
        where masjid_id = ${id} and date = ${date} and prayer = 'isha'`)
    )?.at

  test('is published at once, and again when it changes; unchanged, it is not fetched whole', async () => {
    serve('/a.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid } = await follow('/a.csv')
    assert.equal(await ishaAt(masjid, TOMORROW), 'api 22:30')
    assert.equal((await refresh(masjid))?.failure, null)
    assert.equal((await refresh(masjid))?.failure, null)
    assert.equal(host.requests.at(-1)?.headers['if-none-match'], '"one"')
    serve('/a.csv', yearCsv({ days: 10, isha: () => '22:40' }), '"two"')
    await refresh(masjid)
    assert.equal(await ishaAt(masjid, TOMORROW), 'api 22:40')
  })

  test('may be a calendar: its events become times, and the page says how fresh they are', async () => {
    serve('/times.ics', yearIcs({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/times.ics')
    assert.equal(await ishaAt(masjid, TOMORROW), 'ical 22:30')
    serve('/times.ics', yearIcs({ days: 10, isha: () => '22:45' }), '"two"')
    await refresh(masjid)
    assert.equal(await ishaAt(masjid, TOMORROW), 'ical 22:45')
    assert.match((await person.get(base)).text, /last read <bdi>/)
    host.answers.set('/times.ics', only(503))
    assert.equal((await refresh(masjid))?.failure, 'status')
    person.cookies.set('minaret_language', 'ar')
    const { text } = await person.get(base)
    assert.match(text, /آخر قراءة <bdi>/, 'how old the times are')
    assert.match(text, /فشلت آخر محاولة[\s\S]*503/)
    assert.equal(await ishaAt(masjid, TOMORROW), 'ical 22:45')
  })

  test('is fetched at once by a press, which says if it failed', async () => {
    serve('/now.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/now.csv')
    const press = `${base}/sources/${(await sourceOf(masjid))?.id}/fetch`
    serve('/now.csv', yearCsv({ days: 10, isha: () => '22:35' }), '"two"')
    assert.equal((await person.submit(base, press, {})).location, `${base}?done=fetched`)
    assert.equal(await ishaAt(masjid, TOMORROW), 'api 22:35')
    host.answers.set('/now.csv', only(410))
    assert.equal((await person.submit(base, press, {})).location, base)
  })

  test('that answers slowly, or without end, is given up and leaves the times alone', async () => {
    serve('/f.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/f.csv')
    const closed = Promise.withResolvers<void>()
    host.answers.set('/f.csv', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      const trickle = setInterval(() => response.write('Date,'), 100)
      response.on('close', () => clearInterval(trickle))
    })
    assert.equal((await refresh(masjid))?.failure, 'too_slow')
    host.answers.set('/f.csv', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' })
      const piece = Buffer.alloc(256 * 1024, '2026-01-01,06:00\n')
      const pour = (): void => {
        while (response.writable && response.write(piece));
      }
      response.on('drain', pour)
      response.on('close', closed.resolve)
      pour()
    })
    assert.equal((await refresh(masjid))?.failure, 'too_many_bytes')
    await closed.promise
    assert.match((await person.get(base)).text, /What is there is too large/)
    host.answers.set('/f.csv', (_, response) => {
      response.writeHead(200, { 'content-length': 6 * 1024 * 1024 })
      response.flushHeaders()
    })
    assert.equal((await refresh(masjid))?.failure, 'too_many_bytes', 'before anything is read')
    assert.equal(await ishaAt(masjid, TOMORROW), 'api 22:30')
  })

  test('that was doubtful waits for longer than a week, until it is as published again', async () => {
    serve('/g.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/g.csv')
    serve('/g.csv', yearCsv({ days: 10, isha: index => (index === 3 ? '15:00' : '22:30') }), '"two"')
    const waiting = (await refresh(masjid))?.draftId
    assert.ok(waiting)
    await database().run(sql`update timetable_drafts set created_at = now() - interval '8 days' where id = ${waiting}`)
    await uploadTo(person, base, { pasted: 'Date\tFajr Iqamah\n2026-01-01\t06:00' })
    assert.equal((await sourceOf(masjid))?.draftId, waiting)
    serve('/g.csv', yearCsv({ days: 10 }), '"three"')
    assert.equal((await refresh(masjid))?.draftId, null)
  })

  test('that becomes doubtful waits for a person, and the times stay', async () => {
    serve('/b.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/b.csv')
    serve('/b.csv', yearCsv({ days: 10, isha: index => (index === 3 ? '15:00' : '22:30') }), '"two"')
    const source = await refresh(masjid)
    assert.ok(source?.draftId)
    assert.equal(await ishaAt(masjid, dayFrom(TOMORROW, 3)), 'api 22:30')
    assert.match((await person.get(base)).text, /It changed in a way that somebody should look at/)
    const draft = `${base}/drafts/${source.draftId}`
    assert.equal((await person.submit(`${draft}/preview`, `${draft}/publish`, {})).status, 303)
    assert.equal(await ishaAt(masjid, dayFrom(TOMORROW, 3)), 'api 15:00')
  })

  test('whose columns move waits for a person', async () => {
    serve('/c.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid } = await follow('/c.csv')
    serve('/c.csv', yearCsv({ days: 10 }).replace('Fajr Iqamah,Dhuhr Iqamah', 'Dhuhr Iqamah,Fajr Iqamah'), '"two"')
    assert.ok((await refresh(masjid))?.draftId)
  })

  test('that cannot be read is told in words, tried later, and leaves the times alone', async () => {
    serve('/d.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/d.csv')
    host.answers.set('/d.csv', only(404))
    assert.equal((await refresh(masjid))?.failure, 'status')
    assert.match((await person.get(base)).text, /nothing to read there \(<bdi>|nothing to read there \(404\)/)
    assert.equal(await ishaAt(masjid, TOMORROW), 'api 22:30')
    serve('/d.csv', '<!doctype html><p>Sign in', '"two"')
    assert.equal((await refresh(masjid))?.failure, 'not_a_sheet')
  })

  test('stops being followed, and keeps its times', async () => {
    serve('/e.csv', yearCsv({ days: 10 }), '"one"')
    const { masjid, person, base } = await follow('/e.csv')
    const [source] = await listFollowed(database(), masjid.id)
    const stop = `${base}/sources/${source?.id}/stop`
    assert.equal((await person.submit(stop, stop, {})).location, `${base}?done=stopped`)
    assert.deepEqual(await listFollowed(database(), masjid.id), [])
    assert.equal(await ishaAt(masjid, TOMORROW), 'uploaded 22:30')
  })

  test('is fetched through a redirect, but never into our own network', async () => {
    serve('/real.csv', yearCsv({ days: 10 }), '"one"')
    const redirectTo = (path: string, target: string): void =>
      void host.answers.set(path, (_, response) => void response.writeHead(302, { location: target }).end())
    redirectTo('/published', '/real.csv')
    await follow('/published')
    const masjid = await makeMasjid(database())
    const person = await visitAs(minaret, await makeStaff(database(), { masjid, capabilities: ['times'] }))
    const base = `/staff/${masjid.slug}/times`
    for (const [path, target] of [
      ['/to-number', 'https://127.0.0.1/real.csv'],
      ['/to-http', 'http://logo.test/real.csv'],
      ['/to-port', 'https://logo.test:8443/real.csv'],
      ['/to-itself', '/to-itself'],
    ] as const) {
      redirectTo(path, target)
      const sent = await uploadTo(person, base, { address: `https://logo.test${path}` })
      assert.equal(sent.status, 422, path)
    }
  })
})

describe('an address inside our own network', () => {
  let minaret: TestMinaret
  before(async () => {
    const dial: Dial = {
      resolve: async () => [{ address: '10.0.0.7', family: 4 }],
      mayReach: () => false,
      timeoutMs: 2000,
      connection: {},
    }
    minaret = await startTestMinaret({}, { dial })
  })
  after(() => minaret.stop())

  test('is refused, by its name or as a number', async () => {
    const { database } = minaret.service
    const masjid = await makeMasjid(database)
    const person = await visitAs(minaret, await makeStaff(database, { masjid, capabilities: ['times'] }))
    for (const [address, words] of [
      ['https://internal.test/times.csv', /leads into a private network/],
      ['https://169.254.169.254/latest', /must name a host, not a number/],
      ['https://[::1]/a.csv', /must name a host, not a number/],
      ['https://user@internal.test/a.csv', /must start with https/],
      ['file:///etc/passwd', /must start with https/],
    ] as const) {
      const sent = await uploadTo(person, `/staff/${masjid.slug}/times`, { address })
      assert.equal(sent.status, 422)
      assert.match(sent.text, words, address)
    }
  })
})
