// Pages from memory, attacked by strangers: by what they send, by what they ask for at the same time, and while the database is held up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rawSql, sql } from '../../../src/db/sql.ts'
import { traceOf, untilKept } from '../../masjid/use-kept-pages.ts'
import { getPage, makeShownMasjid, textOf } from '../../masjid/use-masjid-page.ts'
import type { Masjid } from '../../staff/use-staff.ts'
import { inThisDatabase } from '../../support/locks.ts'
import { useMinaret } from '../../support/minaret.ts'
import { within } from '../../support/oauth.ts'

/** Long enough for what is answered, on a machine that is busy with other tests. */
const DEADLINE_MS = 6000

let masjid: Masjid
const minaret = useMinaret(
  {
    METRICS_PORT: '0',
    RATE_LIMITS: 'on',
    REQUEST_DEADLINE_MS: String(DEADLINE_MS),
    STATEMENT_TIMEOUT_MS: '5000',
  },
  async started => {
    masjid = await makeShownMasjid(started)
  },
)

const page = (): string => `/m/${masjid.slug}?lang=en`

const rename = (name: string): Promise<unknown> =>
  minaret().service.database.run(sql`update up_masjids set name = ${name} where id = ${masjid.id}`)

test('a tag is known in any list and weakly; that of another encoding, of another page, or of what was changed is not', async () => {
  await untilKept(minaret(), page())
  const tagOf = async (encoding: string): Promise<string> =>
    (await getPage(minaret(), page(), { 'accept-encoding': encoding })).headers.get('etag') ?? ''
  const [plain, gzip, br] = [await tagOf('identity'), await tagOf('gzip'), await tagOf('br')]
  const statusOf = async (known: string, encoding: string): Promise<number> => {
    const headers = { 'accept-encoding': encoding, 'if-none-match': known }
    const { response, hit } = await traceOf(minaret(), page(), headers)
    assert.equal(hit, true)
    assert.equal(response.headers.get('vary'), 'accept-encoding')
    return response.status
  }
  for (const known of [gzip, gzip.replace('W/', ''), `"a", ${gzip}`, `${gzip} , W/"b"`, '*', `${br},${plain},${gzip}`])
    assert.equal(await statusOf(known, 'gzip'), 304, known)
  for (const known of [br, plain, `${br}, ${plain}`, '"*"', '', 'W/', `${gzip.slice(0, -2)}"`])
    assert.equal(await statusOf(known, 'gzip'), 200, known)
  await rename('Renamed by a test')
  const changed = await getPage(minaret(), page(), {
    'accept-encoding': 'gzip',
    'if-none-match': `${gzip}, ${br}, ${plain}`,
  })
  assert.equal(changed.status, 200)
})

test('HEAD, a part of it, and what is asked with a credential or a body are the whole page of everybody', async () => {
  await untilKept(minaret(), page())
  const whole = await textOf(minaret(), page())
  const head = await fetch(minaret().baseUrl + page(), { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  for (const headers of [
    { range: 'bytes=0-9' },
    { range: 'bytes=0-9', 'if-range': '*' },
    { authorization: 'Bearer minaret_live_x' },
    { authorization: 'Basic eDp4' },
    { 'cache-control': 'no-cache, only-if-cached', pragma: 'no-cache' },
    { cookie: 'a=minaret_session; minaret_language=ar; minaret_language=en' },
    { cookie: `${'x'.repeat(4000)}=1` },
    { 'accept-language': 'ar' },
  ]) {
    const { response, text, hit } = await traceOf(minaret(), page(), headers as Record<string, string>)
    assert.deepEqual([response.status, hit], [200, true], JSON.stringify(headers))
    assert.equal(text, whole)
    assert.equal(response.headers.get('content-range'), null)
  }
})

test('addresses without end are not kept, nor are lists of a parameter taken for one of its values', async () => {
  const long = `/find?q=${'a'.repeat(2000)}`
  for (let count = 0; count < 3; count += 1) {
    const { response, kept, hit } = await traceOf(minaret(), long)
    assert.deepEqual([response.status, kept, hit], [200, false, false])
  }
  const [one, both] = ['/find?city=Chicago', '/find?city=Chicago&city=Raleigh']
  await untilKept(minaret(), one)
  const fresh = await textOf(minaret(), both, { cookie: 'minaret_device=x' })
  for (let count = 0; count < 3; count += 1) assert.equal(await textOf(minaret(), both), fresh)
})

/** As a migration does that rewrites the table: whoever reads it waits. */
const whileLocked = async (work: (release: () => void) => Promise<void>): Promise<void> => {
  const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = minaret().service.database.transaction(async transaction => {
    await transaction.run(rawSql('lock table pc_calculated_times in access exclusive mode'))
    locked.resolve()
    await over.promise
  })
  try {
    await locked.promise
    await work(over.resolve)
  } finally {
    over.resolve()
    await holding
  }
}

const waiting = async (): Promise<boolean> => {
  const locks = await minaret().service.database.query(sql`
    select from pg_locks
    where not granted and ${inThisDatabase}`)
  return locks.length > 0
}

test('changed while several wait for the same page: whoever asks after the change sees it, whoever made it', async () => {
  const name = (text: string): string => /<h1[^>]*>(?:<bdi>)?([^<]*)/.exec(text)?.[1] ?? ''
  await rename('Before')
  await untilKept(minaret(), page())
  await rename('While it was made')
  await whileLocked(async release => {
    const early = Array.from({ length: 5 }, () => textOf(minaret(), page()))
    await within(DEADLINE_MS, 'it is being made', waiting)
    await rename('After')
    const late = Array.from({ length: 5 }, () => textOf(minaret(), page()))
    release()
    for (const text of await Promise.all(early)) assert.match(name(text), /^(While it was made|After)$/)
    for (const text of await Promise.all(late)) assert.equal(name(text), 'After')
  })
  assert.equal(name(await textOf(minaret(), page())), 'After')
})

test('while the database is held up everybody is told to try again, in time, and nothing of that is kept', async () => {
  const paths = [page(), `/m/${masjid.slug}/prayer-times.ics`, `/m/${masjid.slug}/widget`, '/find?q=renamed']
  for (const path of paths) await untilKept(minaret(), path)
  await rename('Held up')
  await whileLocked(async () => {
    const asked = paths.flatMap(path => Array.from({ length: 6 }, () => getPage(minaret(), path)))
    for (const response of await Promise.all(asked)) {
      assert.equal(response.status, 503, response.url)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      await response.text()
    }
  })
  for (const path of paths) {
    await within(60_000, `${path} is answered again`, async () => (await getPage(minaret(), path)).status === 200)
    await untilKept(minaret(), path)
  }
})

test('what comes from memory is charged as what is made', async () => {
  const path = `/m/${masjid.slug}/prayer-times.ics`
  await within(60_000, 'the allowance is used up', async () => (await getPage(minaret(), path)).status === 429)
  assert.equal((await getPage(minaret(), path)).headers.get('cache-control'), 'no-store')
})
