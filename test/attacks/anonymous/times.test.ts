// Strangers and the times of places: whatever they send, the answer is 200, or 400 that names the parameter, and it ends.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRandom } from '../../../src/fixtures/random.ts'
import { REQUESTS_PER_MINUTE } from '../../../src/sandbox/request-limit.ts'
import { useMinaret } from '../../support/minaret.ts'

const oslo = 'latitude=59.91&longitude=10.75'

describe('times of places, asked by strangers', () => {
  const minaret = useMinaret()
  const get = (query: string): Promise<Response> => fetch(`${minaret().baseUrl}/v1/times?${query}`)

  const refused = async (query: string, name: string): Promise<void> => {
    const response = await get(query)
    const text = await response.text()
    assert.equal(response.status, 400, query.slice(0, 200))
    assert.ok(text.length < 1000, 'a refusal repeats no long input')
    assert.ok(text.includes(`\\"${name}\\"`), `${query.slice(0, 200)}: ${text}`)
  }

  test('no number, an infinite one, one that is too large, in another notation or several', async () => {
    const values = [
      'NaN',
      'Infinity',
      '-Infinity',
      '1e400',
      '1e-400',
      '0x1F',
      '%00',
      '%F0%9F%8C%99',
      '',
      '9'.repeat(5000),
    ]
    for (const value of values) {
      await refused(`latitude=${value}&longitude=1`, 'latitude')
      await refused(`latitude=1&longitude=${value}`, 'longitude')
      await refused(`${oslo}&elevation=${value}`, 'elevation')
      await refused(`${oslo}&method=Other&isha_angle=17&fajr_angle=${value}`, 'fajr_angle')
    }
    await refused(`${oslo}&latitude=1`, 'latitude')
    await refused('latitude[]=1&longitude=1', 'latitude[]')
  })

  test('names of objects, markup and line breaks are values like others', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', '<script>', "'--"])
      await refused(`${oslo}&${encodeURIComponent(name)}=1`, name)
    for (const value of ['__proto__', 'toString', '<script>', "' or 1=1--", 'UTC%0D%0Aset-cookie:%20a=b'])
      for (const name of ['method', 'madhab', 'high_latitude_rule', 'time_zone', 'format', 'date', 'adjustments'])
        await refused(`${oslo}&${name}=${value}`, name)
  })

  test('line breaks and formulas reach no header, no calendar and no cell', async () => {
    const zones = ['Europe/Oslo%0D%0AX-EVIL:1', '=cmd()', '@SUM(1)', '+1', 'Europe/Oslo%0D%0ABEGIN:VEVENT']
    for (const zone of zones)
      for (const format of ['ics', 'csv', 'json'])
        await refused(`${oslo}&time_zone=${zone}&format=${format}`, 'time_zone')
    for (const latitude of ['-0.5', '%2B0.5']) {
      const table = await (await get(`latitude=${latitude}&longitude=-1&date=2026-01-01&format=csv`)).text()
      for (const line of table.trim().split('\r\n'))
        for (const cell of line.split(',')) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
      const calendar = await (await get(`latitude=${latitude}&longitude=-1&date=2026-01-01&format=ics`)).text()
      assert.equal(calendar.match(/BEGIN:VEVENT/g)?.length, 6)
    }
  })

  test('at the poles, on the antimeridian, on leap days and at both ends of time: 200, in order, without a fault', async () => {
    const places = [
      [90, 0],
      [-90, 0],
      [90, 180],
      [-90, -180],
      [0, 180],
      [0, -180],
      [89.999999, 179.999999],
      [66.5622, 25],
      [-67.4, 0],
      [51.18, 179.99],
    ] as const
    for (const [latitude, longitude] of places)
      for (const date of ['1900-01-01', '1904-02-29', '2000-06-21', '2028-02-29', '2100-03-01', '2173-12-31']) {
        const response = await get(`latitude=${latitude}&longitude=${longitude}&date=${date}`)
        const text = await response.text()
        assert.equal(response.status, 200, text)
        const { days } = JSON.parse(text) as { days: [Record<string, string | null>] }
        assert.equal(days[0].date, date)
        assert.doesNotMatch(text, /NaN|Invalid|Infinity/)
        const times = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'].flatMap(name => days[0][name] ?? [])
        const minutes = times.map(time => Date.parse(time))
        assert.deepEqual(
          minutes,
          minutes.toSorted((one, other) => one - other),
          `${latitude}, ${longitude}, ${date}`,
        )
      }
    for (const date of ['1900-02-29', '2027-02-29', '2100-02-29']) await refused(`${oslo}&date=${date}`, 'date')
  })

  test('every rule and method at random places and dates: 200 or 400, never 500', async () => {
    const random = createRandom(1448, 'strangers')
    const rules = ['middle_of_the_night', 'twilight_angle', 'nearest_latitude_45', 'nearest_day', 'none']
    const methods = ['UmmAlQura', 'MoonsightingCommittee', 'Tehran', 'Kemenag', 'Lisbon', 'Jafari']
    for (let count = 0; count < 120; count += 1) {
      const [latitude, longitude] = [random.integer(-9000, 9000) / 100, random.integer(-18_000, 18_000) / 100]
      const date = `${random.integer(1900, 2173)}-0${random.integer(1, 9)}-1${random.integer(0, 9)}`
      const query = `latitude=${latitude}&longitude=${longitude}&date=${date}&method=${random.pick(methods)}&high_latitude_rule=${random.pick(rules)}&elevation=${random.integer(0, 9000)}&format=${random.pick(['json', 'ics', 'csv'])}`
      const response = await get(query)
      assert.equal(response.status, 200, `${query}: ${(await response.text()).slice(0, 200)}`)
    }
  })

  test('an enormous query is refused before it is read', async () => {
    const long = await get(`${oslo}&${'x=1&'.repeat(3000)}`)
    assert.ok([400, 414, 431].includes(long.status), `${long.status}`)
    const endless = await get(`${oslo}&time_zone=${'a'.repeat(100_000)}`)
    assert.ok([400, 414, 431].includes(endless.status), `${endless.status}`)
  })
})

describe('a flood from one address', () => {
  const minaret = useMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  const get = (query: string, address: string): Promise<Response> =>
    fetch(`${minaret().baseUrl}/v1/times?${query}`, { headers: { 'x-forwarded-for': address } })

  test('of 400 days at a time ends after some sixty; others are answered, and what was sent is charged', async () => {
    const statusOf = async (index: number): Promise<number> => {
      const response = await get(
        `latitude=${index / 100}&longitude=10&time_zone=Etc/UTC&from=2026-01-01&to=2027-02-04`,
        '192.0.2.1',
      )
      await response.arrayBuffer()
      return response.status
    }
    let answered = 0
    for (let index = 0; index < 70 && (await statusOf(index)) === 200; index += 1) answered += 1
    assert.equal(answered, Math.floor(REQUESTS_PER_MINUTE / 21))
    const over = await get(`${oslo}&from=2026-01-01&to=2027-02-04`, '192.0.2.1')
    assert.equal(over.status, 429)
    assert.ok(Number(over.headers.get('retry-after')) > 0)
    assert.equal((await get(`${oslo}&date=2026-01-01`, '192.0.2.2')).status, 200)
    // The sandbox counts the same address.
    const sandbox = await fetch(`${minaret().sandboxUrl}/v1/times?${oslo}&from=2026-01-01&to=2027-02-04`, {
      headers: { 'x-forwarded-for': '192.0.2.1' },
    })
    assert.equal(sandbox.status, 429)
  })
})
