// Times for a place over HTTP: what anybody gets without a credential, as JSON, a calendar and a table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import Papa from 'papaparse'
import { useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()

const oslo = 'latitude=59.91&longitude=10.75'

const get = (query: string, headers: Record<string, string> = {}, base = minaret().baseUrl): Promise<Response> =>
  fetch(`${base}/v1/times?${query}`, { headers })

interface Day {
  readonly date: string
  readonly fajr: string | null
  readonly dhuhr: string
  readonly isha: string | null
  readonly moved: Record<string, string>
  readonly hijri: string
}

interface Times {
  readonly time_zone: string
  readonly country: string | null
  readonly method: string
  readonly parameters: Record<string, unknown>
  readonly qibla: number
  readonly days: readonly Day[]
}

const timesOf = async (query: string): Promise<Times> => {
  const response = await get(query)
  assert.equal(response.status, 200, query)
  return (await response.json()) as Times
}

test('a place and a day: the zone of the coordinates, the method of the country, instants with their offset', async () => {
  const london = await timesOf('latitude=51.5072&longitude=-0.1276&date=2026-07-01')
  assert.deepEqual([london.time_zone, london.country, london.method], ['Europe/London', 'GB', 'MoonsightingCommittee'])
  assert.equal(london.days.length, 1)
  assert.equal(london.days[0]?.date, '2026-07-01')
  assert.match(london.days[0]?.dhuhr ?? '', /^2026-07-01T13:0\d:00\+01:00$/)
  assert.ok(Math.abs(london.qibla - 118.99) < 0.05)
})

test('the known good: Raleigh on 12 July 2015, and what moved in Oslo at midsummer', async () => {
  const raleigh = await timesOf(
    'latitude=35.775&longitude=-78.6336&date=2015-07-12&method=NorthAmerica&madhab=hanafi&time_zone=America/New_York',
  )
  const [day] = raleigh.days
  const shown = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'].map(name =>
    String((day as unknown as Record<string, string>)[name]).slice(11, 16),
  )
  assert.deepEqual(shown, ['04:42', '06:08', '13:21', '18:22', '20:32', '21:57'])
  const summer = await timesOf(`${oslo}&from=2026-06-20&to=2026-06-22`)
  assert.deepEqual(
    summer.days.map(({ date, moved }) => [date, moved.fajr, moved.isha]),
    ['2026-06-20', '2026-06-21', '2026-06-22'].map(date => [date, 'seventh_of_the_night', 'seventh_of_the_night']),
  )
})

test('without a date: today there, kept only until its midnight', async () => {
  const response = await get('latitude=-13.83&longitude=-171.76')
  const { days } = (await response.json()) as Times
  const here = new Date().toLocaleDateString('sv', { timeZone: 'Pacific/Apia' })
  assert.equal(days[0]?.date, here)
  const age = Number(/^public, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '')?.[1])
  const clock = new Date().toLocaleTimeString('sv', { timeZone: 'Pacific/Apia' }).split(':').map(Number)
  const left = 86_400 - ((clock[0] ?? 0) * 3600 + (clock[1] ?? 0) * 60 + (clock[2] ?? 0))
  assert.ok(Math.abs(age - left) <= 60, `${age} of ${left} seconds`)
})

test('a shared cache may keep a day for a day, and a copy that is still right is not sent again', async () => {
  const query = `${oslo}&from=2026-01-01&to=2026-01-10`
  const first = await get(query)
  assert.equal(first.headers.get('cache-control'), 'public, max-age=86400')
  assert.equal(first.headers.get('vary'), 'accept')
  assert.equal(first.headers.get('access-control-allow-origin'), '*')
  assert.equal(first.headers.get('set-cookie'), null)
  const tag = first.headers.get('etag') ?? ''
  for (const known of [tag, `"other", ${tag}`, '*', tag.replace('W/', '')]) {
    const again = await get(query, { 'if-none-match': known })
    assert.deepEqual([again.status, again.headers.get('etag'), await again.text()], [304, tag, ''], known)
  }
  // The same question in another order and through the other listener, which calculated nothing yet.
  const same = await get(`to=2026-01-10&from=2026-01-01&${oslo}`, { 'if-none-match': tag }, minaret().sandboxUrl)
  assert.equal(same.status, 304)
  assert.equal((await get(`${query}&madhab=hanafi`, { 'if-none-match': tag })).status, 200)
  assert.equal((await get(`${query}&format=csv`, { 'if-none-match': tag })).status, 200)
})

test('HEAD says what GET says, and pages of any origin may ask', async () => {
  const address = `${minaret().baseUrl}/v1/times?${oslo}&date=2026-01-01`
  const [head, whole] = [await fetch(address, { method: 'HEAD' }), await fetch(address)]
  for (const name of ['etag', 'content-type', 'content-length', 'cache-control'])
    assert.equal(head.headers.get(name), whole.headers.get(name), name)
  const preflight = await fetch(address, { method: 'OPTIONS', headers: { origin: 'https://example.com' } })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD')
  assert.equal((await fetch(address, { method: 'POST', body: '{}' })).status, 404)
})

test('by format and by Accept: JSON, calendar, table; JSON for everybody else', async () => {
  const query = `${oslo}&date=2026-01-01`
  const typeOf = async (more: string, headers: Record<string, string> = {}) =>
    (await get(query + more, headers)).headers.get('content-type')?.split(';')[0]
  assert.equal(await typeOf('&format=ics', { accept: 'text/csv' }), 'text/calendar')
  assert.equal(await typeOf('', { accept: 'text/csv;q=0.9, text/html' }), 'text/csv')
  assert.equal(await typeOf('', { accept: 'text/calendar' }), 'text/calendar')
  assert.equal(await typeOf('', { accept: 'text/html,*/*' }), 'application/json')
  const refused = await get(`${query}&format=xml`)
  assert.deepEqual(await refused.json(), {
    error: 'bad_request',
    error_description: '"format" is none of json, ics, csv.',
  })
})

test('the calendar and the table have the instants of the JSON, over a change of clocks', async () => {
  const query = `${oslo}&from=2026-10-23&to=2026-10-27`
  const { days } = await timesOf(query)
  const calendar = new ICAL.Component(ICAL.parse(await (await get(`${query}&format=ics`)).text()))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  const events = calendar.getAllSubcomponents('vevent').map(component => new ICAL.Event(component))
  assert.equal(events.length, days.length * 6)
  const written = await (await get(`${query}&format=csv`)).text()
  const table = Papa.parse<Record<string, string>>(written.trim(), { header: true })
  assert.equal(table.data.length, days.length)
  for (const [index, day] of days.entries())
    for (const name of ['fajr', 'dhuhr', 'isha'] as const) {
      const event = events.find(({ uid }) => uid === `59.91_10.75-${day.date}-${name}@times.minaret`)
      assert.equal(event?.startDate.toJSDate().getTime(), Date.parse(day[name] ?? ''), `${day.date} ${name}`)
      assert.equal(table.data[index]?.[name], day[name])
    }
  assert.equal(table.data[0]?.time_zone, 'Europe/Oslo')
})

test('400 that names the parameter, never kept', async () => {
  const wrong = {
    latitude: 'latitude=91&longitude=0',
    longitude: 'latitude=1',
    to: `${oslo}&from=2026-01-01&to=2028-01-01`,
    method: `${oslo}&method=Nobody`,
    lon: `${oslo}&lon=5`,
    adjustments: `${oslo}&adjustments=fajr`,
  }
  for (const [name, query] of Object.entries(wrong)) {
    const response = await get(query)
    const { error, error_description } = (await response.json()) as Record<string, string>
    assert.deepEqual([response.status, error, response.headers.get('cache-control')], [400, 'bad_request', 'no-store'])
    assert.equal(error_description?.startsWith(`"${name}" `), true, `${name}: ${error_description}`)
  }
})

test('the OpenAPI document has every parameter that is read, and an answer has what it says', async () => {
  const response = await fetch(`${minaret().sandboxUrl}/v1/openapi.json`)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  const document = (await response.json()) as {
    servers: [{ url: string }]
    paths: { '/v1/times': { get: { parameters: { name: string; schema: { enum?: string[] } }[] } } }
    components: { schemas: { Times: { required: string[]; properties: { days: { items: { required: string[] } } } } } }
  }
  assert.equal(document.servers[0].url, minaret().sandboxUrl)
  const { parameters } = document.paths['/v1/times'].get
  for (const { name } of parameters) {
    const answered = await get(`${oslo}&${name}=%00`)
    const { error_description } = (await answered.json()) as Record<string, string>
    assert.doesNotMatch(error_description ?? '', /is no parameter/, name)
    assert.match(error_description ?? '', new RegExp(`"${name}"`), name)
  }
  const times = (await timesOf(`${oslo}&date=2026-01-01`)) as unknown as Record<string, unknown> & Times
  const { Times: schema } = document.components.schemas
  for (const name of schema.required) assert.ok(name in times, name)
  assert.deepEqual(Object.keys(times.days[0] as object).sort(), schema.properties.days.items.required.toSorted())
})
