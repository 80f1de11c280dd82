// What one visitor sends must not be in what another one gets from a shared cache: every pair of requests that a cache takes for the
// same is answered alike.
import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startSession } from '../../../src/accounts/sessions.ts'
import { makeShownMasjid } from '../../masjid/use-masjid-page.ts'
import type { Masjid } from '../../staff/use-staff.ts'
import { makeUser } from '../../support/apps.ts'
import { useMinaret } from '../../support/minaret.ts'

const MARK = 'poisoned.example'

let masjid: Masjid
let session: string
const minaret = useMinaret({}, async started => {
  const { database } = started.service
  masjid = await makeShownMasjid(started)
  const user = await makeUser(database, { hashed: false })
  session = await startSession(database, user.id, { address: undefined, userAgent: undefined })
})

interface Asked {
  readonly method?: string
  /** As it is in the first line of the request. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `fetch` would change the target, and does not let anybody choose every header. */
const ask = ({ method = 'GET', target, headers = {}, body }: Asked): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(minaret().baseUrl)
    const sent = request({ hostname, port, method, path: target, headers, agent: false }, response => {
      const parts: Buffer[] = []
      response.on('data', part => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString('latin1'),
        }),
      )
    })
    sent.on('error', reject).end(body)
  })

/** RFC 9111, section 3: what a shared cache may keep, by what we say or because of its status. */
const isStored = ({ status, headers }: Answered): boolean => {
  const control = String(headers['cache-control'] ?? '')
  if (/no-store|private/.test(control)) return false
  return (
    /public|max-age|s-maxage/.test(control) || [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].includes(status)
  )
}

const variesBy = ({ headers }: Answered, name: string): boolean =>
  String(headers.vary ?? '')
    .toLowerCase()
    .split(',')
    .some(one => one.trim() === name || one.trim() === '*')

/** Without what belongs to the connection, or is new in each response by design. */
const shownBy = ({ status, headers, body }: Answered): unknown => {
  const { date: _date, connection: _connection, 'keep-alive': _alive, 'x-request-id': _id, ...rest } = headers
  const control = rest['cache-control']?.replace(/max-age=[1-9]\d*/, 'max-age=n')
  return { status, headers: { ...rest, 'cache-control': control }, body }
}

const pages = (): string[] => [
  `/m/${masjid.slug}?lang=en`,
  `/m/${masjid.slug}`,
  `/m/${masjid.slug}/widget?lang=en`,
  `/m/${masjid.slug}/widget`,
  `/m/${masjid.slug}/og.png?lang=en`,
  `/m/${masjid.slug}/prayer-times.ics`,
  `/m/${masjid.slug}/events.ics`,
  `/m/${masjid.slug.toUpperCase()}`,
  '/m/no-such-masjid',
  '/find?q=larkspur&lang=en',
  '/find?city=Chicago',
  '/widget.js',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap-1.xml',
  '/screen',
  '/screen/worker.js',
  '/.well-known/openid-configuration',
  '/nothing-is-here',
  '/',
]

/** Together, since none of them may have an effect. */
const forged = (): Record<string, string> => ({
  'x-forwarded-host': MARK,
  'x-host': MARK,
  'x-forwarded-server': MARK,
  forwarded: `host=${MARK};proto=gopher`,
  'x-forwarded-proto': 'gopher',
  'x-forwarded-scheme': 'gopher',
  'x-forwarded-ssl': 'off',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': `/${MARK}`,
  'x-forwarded-for': '203.0.113.9',
  'x-real-ip': '203.0.113.9',
  'x-original-url': `/${MARK}`,
  'x-rewrite-url': `/${MARK}`,
  'x-http-method-override': 'DELETE',
  'x-method-override': 'HEAD',
  cookie: `minaret_session=${session}; minaret_language=ar; x=${MARK}`,
  origin: `https://${MARK}`,
  referer: `https://${MARK}/`,
  'access-control-request-method': 'PUT',
  'content-type': 'application/json',
  'x-requested-with': MARK,
  'x-request-id': MARK,
  traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  'user-agent': MARK,
  'save-data': 'on',
  'sec-ch-prefers-color-scheme': 'dark',
  'sec-fetch-dest': 'iframe',
})

const changes = (): Record<string, Record<string, string>> => ({
  'everything that can be forged': forged(),
  'a language': { 'accept-language': 'ar' },
  'a language that is none': { 'accept-language': `${MARK};q=x, ,,ar-${'x'.repeat(500)}` },
  'another encoding': { 'accept-encoding': 'br, gzip' },
  'another media type': { accept: 'application/json' },
  'a credential': { authorization: `Bearer ${MARK}` },
  'a part': { range: 'bytes=0-9' },
})

/** For a cache, the two requests are the same unless the response says by which header it differs. */
const isApart = (one: Answered, other: Answered, headers: Readonly<Record<string, string>>): boolean =>
  (!isStored(one) && !isStored(other)) ||
  Object.keys(headers).some(name => variesBy(one, name) && variesBy(other, name))

/** What the page says changes by itself at a prayer or at midnight: then the plain request after this one is like it. */
const assertAlike = async (what: string, { target }: Asked, plain: Answered, other: Answered): Promise<void> => {
  if (!isDeepStrictEqual(shownBy(plain), shownBy(other)))
    assert.deepEqual(shownBy(other), shownBy(await ask({ target })), what)
}

test('no header changes what a shared cache keeps, unless the response says that it varies by it', async () => {
  for (const target of pages()) {
    const plain = await ask({ target })
    for (const [what, headers] of Object.entries(changes())) {
      const other = await ask({ target, headers })
      if (!isApart(plain, other, headers)) await assertAlike(`${what} at ${target}`, { target }, plain, other)
      assert.ok(
        !`${other.body}${JSON.stringify(other.headers)}`.includes(MARK),
        `${what} is in the answer of ${target}`,
      )
    }
  }
})

test('what a person gets who is signed in is kept by nobody, and public pages set no cookie', async () => {
  const cookie = `minaret_session=${session}`
  for (const target of pages()) {
    const answer = await ask({ target, headers: { cookie } })
    assert.ok(!isStored(answer) || answer.headers['set-cookie'] === undefined, target)
  }
  for (const target of ['/account', '/console', '/sign-in', '/', '/staff'])
    assert.match(String((await ask({ target, headers: { cookie } })).headers['cache-control']), /no-store/, target)
})

test('a body in a GET request changes nothing', async () => {
  const target = `/m/${masjid.slug}?month=2026-01`
  const body = `lang=ar&month=2030-01&x=${MARK}`
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) }
  const [plain, other] = [await ask({ target }), await ask({ target, headers, body })]
  await assertAlike('a body', { target }, plain, other)
})

test('parameters that a page does not know are not on it: caches are set up to leave them out', async () => {
  for (const target of [`/m/${masjid.slug}`, `/m/${masjid.slug}/widget`, '/find', '/m/no-such-masjid']) {
    const plain = await ask({ target: `${target}?lang=en` })
    for (const query of [
      `lang=en&utm_source=${MARK}`,
      `lang=en&fbclid=${MARK}&utm_content=a&utm_content=b`,
      `${MARK}&lang=en`,
    ])
      await assertAlike(query, { target: `${target}?lang=en` }, plain, await ask({ target: `${target}?${query}` }))
  }
})

test('another spelling of an address is the same page, a redirect to it, or nothing that is kept for long', async () => {
  const target = `/m/${masjid.slug}?lang=en`
  const plain = { ...(await ask({ target })), asked: { target } }
  const withoutLanguage = { target: `/m/${masjid.slug}` }
  const negotiated = { ...(await ask(withoutLanguage)), asked: withoutLanguage }
  const { host } = new URL(minaret().baseUrl)
  const spelled = `%${masjid.slug.charCodeAt(0).toString(16)}${masjid.slug.slice(1)}`
  for (const other of [
    `/m/${spelled}?lang=en`,
    `/m/${masjid.slug}?lang=en#${MARK}`,
    `/m/${masjid.slug}?%6cang=en`,
    `http://${host}/m/${masjid.slug}?lang=en`,
    `http://${MARK}/m/${masjid.slug}?lang=en`,
    `//${MARK}/m/${masjid.slug}?lang=en`,
    `/m//${masjid.slug}?lang=en`,
    `/m/./${masjid.slug}?lang=en`,
    `/${MARK}/../m/${masjid.slug}?lang=en`,
    `/m/${masjid.slug}/?lang=en`,
    `/m/${masjid.slug}%2f?lang=en`,
    `/m/${masjid.slug};x=${MARK}?lang=en`,
    `/m/${masjid.slug}\\..\\${MARK}?lang=en`,
    `/m/${masjid.slug}.css?lang=en`,
    `/m/${masjid.slug}/${MARK}.js?lang=en`,
  ]) {
    const answer = await ask({ target: other })
    // A page that says that there is nothing names its own address, by which caches know it.
    if (answer.status < 400) assert.ok(!`${answer.body}${JSON.stringify(answer.headers)}`.includes(MARK), other)
    const usual = variesBy(answer, 'accept-language') ? negotiated : plain
    if (answer.status === 200) await assertAlike(other, usual.asked, usual, answer)
    else if (answer.status === 301) assert.equal(answer.headers.location, `/m/${masjid.slug}`, other)
    else assert.ok(answer.status >= 400 && keptFor(answer) <= 60, `${other}: ${answer.status}`)
  }
})

const keptFor = ({ headers }: Answered): number => {
  const control = String(headers['cache-control'] ?? '')
  return /no-store/.test(control) ? 0 : Number(/max-age=(\d+)/.exec(control)?.[1] ?? Number.POSITIVE_INFINITY)
}

/** A page may change by itself between two requests, at a prayer or at midnight; not twice in a row. */
const orOnceMore = (check: (target: string) => Promise<void>, target: string): Promise<void> =>
  check(target).catch(() => check(target))

/** Those of a body are left out, and a cookie of something that nobody keeps. */
const headOf = (answer: Answered): unknown => {
  const { 'content-length': _length, 'transfer-encoding': _encoding, 'set-cookie': cookie, ...headers } = answer.headers
  assert.ok(cookie === undefined || !isStored(answer))
  return shownBy({ ...answer, headers, body: '' })
}

const checkHead = async (target: string): Promise<void> => {
  const [got, head] = [await ask({ target }), await ask({ target, method: 'HEAD' })]
  assert.deepEqual(headOf(head), headOf(got), target)
  assert.equal(head.body, '')
}

test('HEAD has the headers of GET and no body', async () => {
  for (const target of pages()) await orOnceMore(checkHead, target)
})

const checkConditions = async (target: string): Promise<void> => {
  const plain = await ask({ target })
  const { etag } = plain.headers
  if (etag === undefined || plain.status !== 200) return
  const known = await ask({ target, headers: { 'if-none-match': etag } })
  assert.deepEqual([known.status, known.body], [304, ''], target)
  for (const name of ['vary', 'etag'] as const) assert.equal(known.headers[name], plain.headers[name], target)
  const since = new Date().toUTCString()
  const unknown = await ask({ target, headers: { 'if-none-match': `"${MARK}"`, 'if-modified-since': since } })
  assert.deepEqual(shownBy(unknown), shownBy(plain), target)
  const arabic = await ask({ target, headers: { 'accept-language': 'ar', 'if-none-match': etag } })
  const isOther = (await ask({ target, headers: { 'accept-language': 'ar' } })).body !== plain.body
  assert.equal(arabic.status, isOther ? 200 : 304, `the tag of another language at ${target}`)
}

test('a conditional request gets 304 for its own tag alone, with what the cache needs to keep variants apart', async () => {
  for (const target of pages()) await orOnceMore(checkConditions, target)
})

test('requests that are refused leave nothing behind in a cache', async () => {
  const target = `/m/${masjid.slug}`
  for (const [what, asked] of Object.entries({
    'a method': { target, method: 'POST' },
    'another method': { target, method: 'DELETE' },
    'a long header': { target, headers: { 'x-long': 'x'.repeat(20_000) } },
    'a broken escape': { target: '/m/%zz' },
    'a long address': { target: `/m/${'a'.repeat(9000)}` },
  } satisfies Record<string, Asked>)) {
    const answer = await ask(asked)
    assert.ok(answer.status >= 400, what)
    assert.ok(
      !isStored(answer) || keptFor(answer) <= 60,
      `${what}: ${answer.status} ${answer.headers['cache-control']}`,
    )
  }
})
