// Public pages from memory: for whom, for how long, by what they are told apart; and that nobody can put anything there for others.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startSession } from '../../src/accounts/sessions.ts'
import { rawSql, sql } from '../../src/db/sql.ts'
import type { Masjid } from '../staff/use-staff.ts'
import { makeUser } from '../support/apps.ts'
import { useMinaret } from '../support/minaret.ts'
import { assertNeverKept, traceOf, untilKept } from './use-kept-pages.ts'
import { announce, getPage, makeShownMasjid, textOf } from './use-masjid-page.ts'

let masjid: Masjid
let session: string
const minaret = useMinaret({ METRICS_PORT: '0', SANDBOX_DATA: 'on' }, async started => {
  const { database } = started.service
  masjid = await makeShownMasjid(started)
  const user = await makeUser(database, { hashed: false, name: 'Known Visitor' })
  session = await startSession(database, user.id, { address: undefined, userAgent: undefined })
})

const run = (statement: string): Promise<unknown> => minaret().service.database.run(rawSql(statement))

/** Each with what is kept by. */
const paths = (): string[] => [
  `/m/${masjid.slug}`,
  `/m/${masjid.slug}?month=${new Date().toISOString().slice(0, 7)}&lang=ar`,
  `/m/${masjid.slug}/widget?theme=dark`,
  `/m/${masjid.slug}/prayer-times.ics`,
  `/m/${masjid.slug}/events.ics`,
  '/find?q=larkspur',
  '/find?city=Raleigh',
  '/find',
  '/',
]

describe('a page', () => {
  test('is answered from memory, with the same bytes and headers', async () => {
    for (const path of paths()) {
      await untilKept(minaret(), path)
      const [first, second] = [await traceOf(minaret(), path), await traceOf(minaret(), path)]
      assert.equal(second.text, first.text, path)
      const shown = ({ response }: typeof first) =>
        [...response.headers].filter(([name]) => !['date', 'x-request-id', 'cache-control'].includes(name))
      assert.deepEqual(shown(second), shown(first), path)
      const age = /max-age=(\d+)/.exec(second.response.headers.get('cache-control') ?? '')?.[1] ?? '0'
      assert.ok(Number(age) <= 60, `${path}: ${age}`)
    }
  })

  test('is what would be made anew', async () => {
    for (const path of paths().filter(path => path !== '/')) {
      await untilKept(minaret(), path)
      const kept = await textOf(minaret(), path)
      assert.equal(await textOf(minaret(), path, { cookie: 'minaret_device=x' }), kept, path)
    }
  })

  test('has a tag for each encoding, and who has it gets 304', async () => {
    const path = `/m/${masjid.slug}?lang=en`
    const tags = new Set<string>()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'accept-encoding': encoding }
      await untilKept(minaret(), path, headers)
      const tag = (await getPage(minaret(), path, headers)).headers.get('etag') ?? ''
      tags.add(tag)
      const { response, hit, text } = await traceOf(minaret(), path, { ...headers, 'if-none-match': tag })
      assert.deepEqual([response.status, hit, text], [304, true, ''])
      assert.equal(response.headers.get('etag'), tag)
    }
    assert.equal(tags.size, 3)
  })

  test('is compressed as the client likes it', async () => {
    const { hostname, port } = new URL(minaret().baseUrl)
    const raw = (encoding: string): Promise<Buffer> =>
      new Promise((resolve, reject) => {
        const parts: Buffer[] = []
        request({ hostname, port, path: `/m/${masjid.slug}?lang=en`, headers: { 'accept-encoding': encoding } }, got =>
          got.on('data', part => parts.push(part)).on('end', () => resolve(Buffer.concat(parts))),
        )
          .on('error', reject)
          .end()
      })
    for (let count = 0; count < 3; count += 1) {
      const plain = await raw('identity')
      assert.deepEqual(gunzipSync(await raw('gzip')), plain)
      assert.deepEqual(brotliDecompressSync(await raw('br')), plain)
    }
  })

  test('is in the language of whoever asks', async () => {
    for (const path of [`/m/${masjid.slug}`, '/find?city=Raleigh', '/'])
      for (const [language, header] of [
        ['ar', 'ar'],
        ['en', 'en-GB'],
        ['ar', 'fr, ar;q=0.5'],
        ['en', '*'],
      ] as const) {
        await untilKept(minaret(), path, { 'accept-language': header })
        assert.match(
          await textOf(minaret(), path, { 'accept-language': header }),
          new RegExp(`<html lang="${language}"`),
        )
      }
    await untilKept(minaret(), '/', { cookie: 'minaret_language=ar' })
    assert.match(await textOf(minaret(), '/', { cookie: 'minaret_language=ar' }), /<html lang="ar"/)
    assert.match(await textOf(minaret(), '/'), /<html lang="en"/)
  })
})

describe('somebody whom we know', () => {
  const cookies = () => ({ cookie: `minaret_session=${session}` })

  test('is sent nothing that is kept, and leaves nothing for strangers', async () => {
    for (const path of paths()) {
      await untilKept(minaret(), path)
      await assertNeverKept(minaret(), path, cookies())
    }
  })

  for (const known of [true, false])
    test(`has their own menu on /, and nobody else has: ${known ? 'they' : 'a stranger'} first`, async () => {
      const own = await makeUser(minaret().service.database, { hashed: false })
      const token = await startSession(minaret().service.database, own.id, { address: undefined, userAgent: undefined })
      const askKnown = async (): Promise<void> => {
        for (let count = 0; count < 3; count += 1) {
          const text = await textOf(minaret(), '/', { cookie: `minaret_session=${token}` })
          assert.match(text, /action="\/sign-out"/)
          assert.match(text, /name="anti_?forgery|type="hidden"/i)
        }
      }
      const askStranger = async (): Promise<void> => {
        for (let count = 0; count < 3; count += 1) {
          const { response, text } = await traceOf(minaret(), '/')
          assert.doesNotMatch(text, /sign-out|type="hidden"/)
          assert.equal(response.headers.get('set-cookie'), null)
          assert.equal(response.headers.get('cache-control'), 'no-store')
        }
      }
      for (const ask of known ? [askKnown, askStranger] : [askStranger, askKnown, askStranger]) await ask()
    })

  test('is also whoever has another cookie of ours than that of a language', async () => {
    for (const name of ['session', 'browser', 'device', 'return', 'challenge', 'something_new'])
      for (const cookie of [`minaret_${name}=x`, `a=b; minaret_${name}=x`, `minaret_language=en;minaret_${name}=x`])
        await assertNeverKept(minaret(), `/m/${masjid.slug}`, { cookie })
    await assertNeverKept(minaret(), '/', { cookie: '__Host-minaret_session=x' })
  })

  test('is whoever chooses a language by a link: the cookie that is set is for one', async () => {
    await untilKept(minaret(), '/')
    for (let count = 0; count < 3; count += 1) {
      const { response, hit, kept } = await traceOf(minaret(), '/?ui_locales=ar')
      assert.match(response.headers.get('set-cookie') ?? '', /minaret_language=ar/)
      assert.deepEqual({ hit, kept }, { hit: false, kept: false })
    }
  })
})

describe('what is never kept', () => {
  test('pages that do not exist, and what went wrong', async () => {
    for (const path of ['/m/no-such-masjid', `/m/${masjid.slug.toUpperCase()}`, '/m/no-such-masjid/prayer-times.ics'])
      await assertNeverKept(minaret(), path)
    await assertNeverKept(minaret(), `/m/${masjid.slug}/prayer-times.ics?days=0`)
  })

  test('where somebody is', () => assertNeverKept(minaret(), '/find?lat=35.78&lon=-78.64'))

  test('a page that was asked for once', async () => {
    const { kept } = await traceOf(minaret(), '/find?q=larkspur-once')
    assert.equal(kept, false)
  })
})

describe('nobody can change what others get', () => {
  const MARK = 'poisoned.example'
  const forged = {
    'x-forwarded-host': MARK,
    'x-forwarded-proto': 'gopher',
    'x-original-url': `/${MARK}`,
    forwarded: `host=${MARK}`,
    origin: `https://${MARK}`,
    referer: `https://${MARK}/`,
    'user-agent': MARK,
    'accept-encoding': `${MARK}, gzip`,
    authorization: `Bearer ${MARK}`,
  }

  test('by headers', async () => {
    for (const path of paths()) {
      const fresh = (await textOf(minaret(), path)).length
      for (let count = 0; count < 3; count += 1) await textOf(minaret(), path, forged)
      const text = await textOf(minaret(), path)
      assert.doesNotMatch(text, /poisoned/, path)
      assert.equal(text.length, fresh, path)
    }
  })

  test('by parameters that a page does not understand: they are the same page, once', async () => {
    const path = `/m/${masjid.slug}?lang=en&month=2026-11`
    await untilKept(minaret(), path)
    for (let count = 0; count < 20; count += 1) {
      const { hit, kept, text } = await traceOf(
        minaret(),
        `${path}&utm_source=${MARK}${count}&days=${count}&theme=dark`,
      )
      // One that nobody asked for before would be neither; on a busy machine a check may come too late, and the same is made again.
      assert.ok(hit || kept)
      assert.doesNotMatch(text, /poisoned/)
    }
  })

  test('by two spellings that are read as different words', async () => {
    for (const [one, other] of [
      ['%FF', '%EF%BF%BD'],
      ['a+b', 'a%2Bb'],
      ['%ZZ', '%25ZZ'],
      ['a&q=b', 'a'],
    ]) {
      const [first, second] = [`/find?q=${one}`, `/find?q=${other}`]
      const own = await textOf(minaret(), second, { cookie: 'minaret_device=x' })
      for (let count = 0; count < 3; count += 1) await textOf(minaret(), first)
      for (let count = 0; count < 3; count += 1) assert.equal(await textOf(minaret(), second), own, `${one} ${other}`)
    }
  })
})

describe('a masjid that changes', () => {
  let own: Masjid
  before(async () => {
    own = await makeShownMasjid(minaret())
  })

  test('is followed at once, in everything that a page shows', async () => {
    const path = `/m/${own.slug}?month=${new Date().toISOString().slice(0, 7)}`
    const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['a field', () => run(`update up_masjids set phone = '+1 919 555 0199' where id = '${own.id}'`)],
      ['an announcement', () => announce(minaret(), own, { title: 'Something new' })],
      [
        'a rule',
        () =>
          run(
            `update pc_iqamah_schedules set offset_minutes = offset_minutes + 30 where masjid_id = '${own.id}' and rule = 'rounded_offset'`,
          ),
      ],
      ['an event', () => run(`update up_events set title = 'Another title' where masjid_id = '${own.id}'`)],
      [
        'an occurrence',
        () => run(`update up_event_occurrences set status = 'cancelled' where masjid_id = '${own.id}'`),
      ],
    ]
    for (const [what, change] of changes) {
      await untilKept(minaret(), path)
      const shown = await textOf(minaret(), path)
      await change()
      assert.notEqual(await textOf(minaret(), path), shown, what)
    }
  })

  test('and its calendars too', async () => {
    const [times, events] = [`/m/${own.slug}/prayer-times.ics`, `/m/${own.slug}/events.ics`]
    for (const [path, change] of [
      [
        times,
        `update pc_iqamah_schedules set offset_minutes = offset_minutes - 30 where masjid_id = '${own.id}' and rule = 'rounded_offset'`,
      ],
      [times, `update up_masjids set name = 'Larkspur Renamed' where id = '${own.id}'`],
      [events, `update up_masjids set address = '2 Other Lane' where id = '${own.id}'`],
      [events, `update up_events set description = 'Other words' where masjid_id = '${own.id}'`],
    ] as const) {
      await untilKept(minaret(), path)
      const shown = await textOf(minaret(), path)
      await run(change)
      assert.notEqual(await textOf(minaret(), path), shown, change)
    }
  })

  test('does not end the page of another', async () => {
    const path = `/m/${masjid.slug}`
    await untilKept(minaret(), path)
    await run(`update up_masjids set phone = '+1 919 555 0111' where id = '${own.id}'`)
    await announce(minaret(), own, { title: 'Not for the other' })
    assert.equal((await traceOf(minaret(), path)).hit, true)
  })

  test('is gone once it was deleted, and there again once it was restored', async () => {
    const all = ['', '/widget', '/prayer-times.ics', '/events.ics'].map(rest => `/m/${own.slug}${rest}`)
    for (const path of all) await untilKept(minaret(), path)
    await run(`update up_masjids set deleted_at = now() where id = '${own.id}'`)
    for (const path of all) assert.equal((await getPage(minaret(), path)).status, 404, path)
    await run(`update up_masjids set deleted_at = null where id = '${own.id}'`)
    for (const path of all) assert.equal((await getPage(minaret(), path)).status, 200, path)
  })

  test('gives its address to another: its page is the other one’s at once', async () => {
    const path = `/m/${own.slug}`
    await untilKept(minaret(), path)
    const { database } = minaret().service
    await database.transaction(async transaction => {
      await transaction.run(sql`update up_masjids set slug = ${`${own.slug}-old`} where id = ${own.id}`)
      await transaction.run(sql`update up_masjids set slug = ${own.slug}, name = 'The Other' where id = ${masjid.id}`)
    })
    assert.match(await textOf(minaret(), path), /The Other/)
    await database.transaction(async transaction => {
      await transaction.run(sql`update up_masjids set slug = ${masjid.slug} where id = ${masjid.id}`)
      await transaction.run(sql`update up_masjids set slug = ${own.slug} where id = ${own.id}`)
    })
  })

  test('changes in the middle of a transaction: nobody sees it before, everybody after', async () => {
    const path = `/m/${own.slug}`
    await untilKept(minaret(), path)
    await minaret().service.database.transaction(async transaction => {
      await transaction.run(sql`update up_masjids set phone = '+1 919 555 0123' where id = ${own.id}`)
      assert.doesNotMatch(await textOf(minaret(), path), /555 0123/)
    })
    assert.match(await textOf(minaret(), path), /555 0123/)
  })
})
