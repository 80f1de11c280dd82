// Somebody who looks after a masjid's times follows a source whose name leads elsewhere later: the resolver is the test's own.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Dial, publicDial, type Resolved } from '../../../src/outbound/guarded-fetch.ts'
import { type FollowedSource, listFollowed } from '../../../src/timetables/follow/followed.ts'
import { confirmColumns } from '../../staff/times/confirm-columns.ts'
import { uploadTo } from '../../staff/times/upload-to.ts'
import { dayFrom, TOMORROW, yearCsv } from '../../staff/times/year.ts'
import { type Masjid, makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'
import type { Person, Shown } from '../../support/person.ts'
import { fillDays } from '../../support/prayer-times.ts'
import { certificate, openTlsServer, type TlsServer } from '../../support/tls-server.ts'

const outside: Resolved = { address: '127.0.0.1', family: 4 }
const at = (address: string): Resolved => ({ address, family: address.includes(':') ? 6 : 4 })
type Resolve = () => Promise<readonly Resolved[]>

let server: TlsServer
let minaret: TestMinaret
let requests: { readonly host: string; readonly request: IncomingMessage }[] = []
let asked: string[] = []
const answers = new Map<string, (response: ServerResponse) => void>()
const names = new Map<string, Resolve>()

before(async () => {
  server = await openTlsServer((request, response) => {
    requests.push({ host: String(request.headers.host?.split(':')[0]), request })
    const answer = answers.get(String(request.url))
    if (answer === undefined) response.writeHead(200, { 'content-type': 'text/csv' }).end(yearCsv({ days: 10 }))
    else answer(response)
  })
  const dial: Dial = {
    ...publicDial,
    timeoutMs: 4000,
    connection: { port: server.port, ca: certificate },
    resolve: async name => {
      asked.push(name)
      return (await names.get(name)?.()) ?? [outside]
    },
    // Loopback stands for the public internet, where the host of this test is.
    mayReach: address => address === outside.address || publicDial.mayReach(address),
  }
  minaret = await startTestMinaret({}, { dial })
})
after(async () => {
  await minaret.stop()
  await server.close()
})
const database = () => minaret.service.database

const enter = async (): Promise<{ masjid: Masjid; person: Person; base: string }> => {
  const masjid = await makeMasjid(database())
  const person = await visitAs(minaret, await makeStaff(database(), { masjid, capabilities: ['times'] }))
  return { masjid, person, base: `/staff/${masjid.slug}/times` }
}

/** What a name resolves to, and what is left of the attempt: nobody was reached. */
const resolutions: Readonly<Record<string, Resolve>> = {
  'our own machine beside a public address': async () => [at('93.184.215.14'), at('::1')],
  'a private network beside the host': async () => [outside, at('10.0.0.5')],
  'a private network before the host': async () => [at('192.168.0.5'), outside],
  'the metadata of a cloud': async () => [at('169.254.169.254')],
  'its metadata over IPv6': async () => [at('fd00:ec2::254')],
  'this network': async () => [at('0.0.0.0')],
  'a private network, mapped into IPv6': async () => [at('::ffff:10.0.0.5')],
  'a private network, translated into IPv6': async () => [at('64:ff9b::a00:5')],
  'a carrier’s network': async () => [at('100.64.0.5')],
  'everybody in the network': async () => [at('224.0.0.1'), at('255.255.255.255')],
  nothing: async () => [],
  'an error': () => Promise.reject(new Error('SERVFAIL')),
  'no answer at all': () => new Promise(() => undefined),
}

const redirects: Readonly<Record<string, string>> = {
  'our own machine as a number': 'https://127.0.0.1/a.csv',
  'our own machine as one number': 'https://2130706433/a.csv',
  'our own machine, without a scheme': '//localhost/a.csv',
  'a private network, without a scheme': '//10.0.0.5/a.csv',
  'our own machine by IPv6': 'https://[::1]/a.csv',
  'a name of our network': 'https://printer.local/a.csv',
  'a name of a cloud’s network': 'https://metadata.google.internal/a.csv',
  'a name that leads inside': 'https://inside.test/a.csv',
  'another port': 'https://logo.test:8443/a.csv',
  'plain http': 'http://logo.test/a.csv',
  'a user': 'https://logo.test@10.0.0.5/a.csv',
  'a file': 'file:///etc/passwd',
  'text of its own': 'data:text/csv,Date',
  'no address': 'https://',
  itself: '/redirected.csv',
}

describe('the address of a sheet', () => {
  test('is not read if its name leads inside, in part or in whole, or nowhere', async () => {
    const { person, base } = await enter()
    for (const [what, resolve] of Object.entries(resolutions)) {
      names.set('other.test', resolve)
      requests = []
      asked = []
      const sent = await uploadTo(person, base, { address: 'https://other.test/a.csv' })
      assert.equal(sent.status, 422, what)
      assert.deepEqual(requests, [], what)
      assert.deepEqual(asked, ['other.test'], `${what}: it is resolved once`)
    }
    names.delete('other.test')
  })

  test('is not read if it is redirected inside, or without end', async () => {
    const { person, base } = await enter()
    names.set('inside.test', async () => [at('10.0.0.5')])
    for (const [what, location] of Object.entries(redirects)) {
      answers.set('/redirected.csv', response => void response.writeHead(302, { location }).end())
      requests = []
      const sent = await uploadTo(person, base, { address: 'https://logo.test/redirected.csv' })
      assert.equal(sent.status, 422, what)
      assert.ok(requests.length <= 6, `${what}: ${requests.length} requests`)
      assert.ok(
        requests.every(({ host }) => host === 'logo.test'),
        what,
      )
    }
    answers.delete('/redirected.csv')
  })

  test('is resolved again for each redirect, and pinned each time: another answer for the same name is of no use', async () => {
    const { person, base } = await enter()
    let answered = 0
    names.set('other.test', async () => {
      answered += 1
      return [answered === 1 ? outside : at('10.0.0.5')]
    })
    answers.set(
      '/once.csv',
      response => void response.writeHead(307, { location: 'https://other.test/twice.csv' }).end(),
    )
    answers.set('/twice.csv', response => void response.writeHead(307, { location: 'https://other.test/a.csv' }).end())
    requests = []
    asked = []
    const sent = await uploadTo(person, base, { address: 'https://logo.test/once.csv' })
    assert.equal(sent.status, 422)
    assert.deepEqual(asked, ['logo.test', 'other.test', 'other.test'])
    assert.deepEqual(
      requests.map(({ host }) => host),
      ['logo.test', 'other.test'],
      'the third was not reached',
    )
    names.delete('other.test')
  })

  test('learns nothing about who reads it, and leaves nothing behind', async () => {
    const { person, base } = await enter()
    answers.set('/cookie.csv', response => {
      response.setHeader('set-cookie', 'id=masjid; Secure')
      response.writeHead(302, { location: '/plain.csv' }).end()
    })
    requests = []
    await uploadTo(person, base, { address: 'https://logo.test/cookie.csv' })
    assert.equal(requests.length, 2)
    for (const { request } of requests)
      for (const name of ['cookie', 'authorization', 'referer', 'origin', 'x-forwarded-for', 'from'])
        assert.equal(request.headers[name], undefined, name)
  })
})

describe('a source that is followed', () => {
  const sourceOf = async ({ id }: Masjid): Promise<FollowedSource | undefined> =>
    (await listFollowed(database(), id))[0]

  const ishaAt = async ({ id }: Masjid): Promise<string | undefined> =>
    (
      await database().first<{ at: string }>(sql`
        select to_char(iqamah_local, 'HH24:MI') as at from pc_prayer_times
        where masjid_id = ${id} and date = ${TOMORROW} and prayer = 'isha'`)
    )?.at

  const refresh = async (masjid: Masjid): Promise<FollowedSource | undefined> => {
    const before = Number((await sourceOf(masjid))?.lastAttemptAt)
    await database().run(sql`
      update followed_sources set next_attempt_at = now()
      where source_id in (select id from pc_prayer_sources where masjid_id = ${masjid.id})`)
    await database().run(sql`select pg_notify('minaret_followed_sources', '')`)
    await within(60_000, 'it was tried', async () => Number((await sourceOf(masjid))?.lastAttemptAt) > before)
    return sourceOf(masjid)
  }

  test('and whose name is bound to another address later is not read there; the times stay, and its page says why', async () => {
    const { masjid, person, base } = await enter()
    await fillDays(database(), { from: dayFrom(TOMORROW, -2), days: 20 })
    const { location: draft = '' } = await uploadTo(person, base, { address: 'https://other.test/followed.csv' })
    await confirmColumns(person, draft)
    const published: Shown = await person.submit(`${draft}/preview`, `${draft}/publish`, {})
    assert.equal(published.location, `${base}?done=followed`)
    assert.equal(await ishaAt(masjid), '22:30')
    const evil = yearCsv({ days: 10, isha: () => '22:59' })
    answers.set('/followed.csv', response => void response.writeHead(200, { 'content-type': 'text/csv' }).end(evil))
    const rebindings: Readonly<Record<string, Resolve>> = {
      not_public: async () => [outside, at('10.0.0.5')],
      host_not_found: async () => [],
    }
    for (const [failure, resolve] of Object.entries(rebindings)) {
      names.set('other.test', resolve)
      requests = []
      assert.equal((await refresh(masjid))?.failure, failure)
      assert.deepEqual(requests, [])
      assert.equal(await ishaAt(masjid), '22:30')
    }
    assert.match((await person.get(base)).text, /There is no such host/)
    names.delete('other.test')
    answers.set(
      '/followed.csv',
      response => void response.writeHead(302, { location: 'https://inside.test/a.csv' }).end(),
    )
    assert.notEqual((await refresh(masjid))?.failure, null)
    assert.equal(await ishaAt(masjid), '22:30')
  })
})
