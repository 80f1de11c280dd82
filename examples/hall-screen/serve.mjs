// Serves the screen, and queries Minaret for it: the page needs no key, and can query nothing else.
// node examples/hall-screen/serve.mjs            (the sandbox)
// MINARET_ENDPOINT=https://…/v1/graphql MINARET_KEY=mk_live_… MASJID=your-masjid node examples/hall-screen/serve.mjs
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const sandbox = `${process.env.SANDBOX_URL ?? 'http://localhost:3001'}/v1/graphql`
const endpoint = process.env.MINARET_ENDPOINT ?? sandbox
const key = process.env.MINARET_KEY
const slug = process.env.MASJID ?? 'larkspur-lane-masjid'
const port = Number(process.env.PORT ?? 8080)

/** A month of days in pages of at most 100 rows: about six a day, ten days at a time. */
const DAYS_AT_ONCE = 10
const PAGES = 3

const query = `query Screen($slug: String!, $from: date!, $until: date!) {
  up_masjids(where: {slug: {_eq: $slug}}) {
    name
    timezone
  }
  pc_prayer_times(
    where: {masjid: {slug: {_eq: $slug}}, date: {_gte: $from, _lt: $until}}
    order_by: [{date: asc}, {prayer: asc}, {session: asc}]
    limit: 100
  ) {
    date
    prayer
    session
    label
    adhan_at
    iqamah_at
    hijri_year
    hijri_month
    hijri_day
  }
}`

const dayAfter = days => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const ask = async variables => {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(10_000),
  })
  const { data, errors } = await response.json()
  if (errors) throw new Error(errors[0].message)
  if (data.up_masjids.length === 0) throw new Error(`There is no masjid with the slug ${slug}.`)
  return data
}

/** From yesterday on: it may still be yesterday at the masjid. */
const times = async () => {
  const pages = await Promise.all(
    Array.from({ length: PAGES }, (_, page) =>
      ask({ slug, from: dayAfter(page * DAYS_AT_ONCE - 1), until: dayAfter((page + 1) * DAYS_AT_ONCE - 1) }),
    ),
  )
  return { masjid: pages[0].up_masjids[0], times: pages.flatMap(page => page.pc_prayer_times) }
}

const read = name => readFileSync(new URL(name, import.meta.url))
const files = {
  '/': ['text/html; charset=utf-8', read('./index.html')],
  '/screen.css': ['text/css', read('./screen.css')],
  '/screen.js': ['text/javascript', read('./screen.js')],
  '/times.js': ['text/javascript', read('./times.js')],
  '/service-worker.js': ['text/javascript', read('./service-worker.js')],
}

const sendTimes = async response => {
  try {
    const body = JSON.stringify(await times())
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(body)
  } catch (error) {
    console.error(error.message)
    response.writeHead(502).end()
  }
}

const server = createServer((request, response) => {
  if (request.url === '/times.json') return sendTimes(response)
  const file = files[request.url]
  if (file === undefined) return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': file[0], 'cache-control': 'no-cache' }).end(file[1])
})
server.listen(port, '127.0.0.1', () => {
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  console.log(`Open http://127.0.0.1:${address.port}/`)
})
