// Sheets on the web that are followed: fetched by a job, published when nothing is doubtful, asked about otherwise.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { followSource } from '../../../src/timetables/follow/follow-source.ts'
import { claimDue, listFollowed } from '../../../src/timetables/follow/followed.ts'
import { type ImageHost, only, openImageHost } from '../../support/image-host.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import type { Person } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../use-staff.ts'
import { confirmColumns } from './confirm-columns.ts'
import { uploadTo } from './upload-to.ts'
import { dayFrom, TOMORROW, yearCsv } from './year.ts'

describe('a followed sheet', () => {
  let host: ImageHost
  let minaret: TestMinaret
  before(async () => {
    host = await openImageHost()
    minaret = await startTestMinaret({}, { imageDial: host.dial })
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

  const refresh = async ({ id }: Masjid) => {
    await database().run(sql`
      update followed_sources set next_attempt_at = now() where source_id in (select id from pc_prayer_sources where masjid_id = ${id})`)
    const [source] = await listFollowed(database(), id)
    const [due] = await claimDue(database(), 1, source?.id ?? null)
    assert.ok(due)
    await followSource({ database: database(), dial: host.dial }, due)
    const [after] = await listFollowed(database(), id)
    return after
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
    const dial = {
      resolve: async () => [{ address: '10.0.0.7', family: 4 }],
      mayReach: () => false,
      timeoutMs: 2000,
      connection: {},
    }
    minaret = await startTestMinaret({}, { imageDial: dial })
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
