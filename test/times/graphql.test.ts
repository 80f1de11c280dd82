// Times for a place by GraphQL: on both endpoints the same as at /v1/times, with everything that lists have.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { dateOf, dayNumberOf } from '../../src/base/civil-date.ts'
import { highLatitudeRules } from '../../src/prayer/calculation/high-latitude-rules.ts'
import { methodNames } from '../../src/prayer/calculation/methods.ts'
import { useApi } from '../graphql/use-api.ts'
import type { Data } from '../support/graphql.ts'
import { sampleOf } from '../support/holds.ts'

const api = useApi()

const times = [
  'imsak',
  'fajr',
  'sunrise',
  'duha',
  'duha_ends',
  'dhuhr',
  'asr',
  'evening_forbidden',
  'sunset',
  'maghrib',
  'isha',
  'first_third_ends',
  'midnight',
  'midnight_to_sunrise',
  'last_third',
] as const

interface Body {
  readonly data?: Data
  readonly errors?: readonly { readonly message: string; readonly path?: unknown; readonly extensions: Data }[]
}

const sandbox = async (query: string, variables: object = {}): Promise<Body> => {
  const response = await fetch(`${api().minaret.sandboxUrl}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as Body
}

const main = async (query: string, variables: object = {}): Promise<Body> =>
  (await (await api().post({ query, variables })).json()) as Body

const dataOf = ({ data, errors }: Body): Data => {
  assert.equal(errors, undefined, JSON.stringify(errors))
  return data
}

const oslo = 'latitude: 59.91, longitude: 10.75'

const plain = async (query: string): Promise<Data> => (await fetch(`${api().minaret.baseUrl}/v1/times?${query}`)).json()

describe('pc_times_at', () => {
  test('gives what /v1/times gives, in the sandbox without a credential and on the main endpoint', async () => {
    const { days, ...place } = await plain('latitude=59.91&longitude=10.75&from=2027-06-20&to=2027-06-22')
    const wanted = days.map((day: Data) => ({
      ...place,
      ...day,
      ...Object.fromEntries(times.map(name => [name, day[name] && new Date(day[name]).toISOString().slice(0, 19)])),
      ...Object.fromEntries(times.map(name => [`${name}_local`, day[name]?.slice(0, 19) ?? null])),
    }))
    const query = `{ pc_times_at(args: {${oslo}, from: "2027-06-20", to: "2027-06-22"}) {
      date time_zone country method parameters qibla hijri_year hijri_month hijri_day is_ramadan moved
      ${times.map(name => `${name} ${name}_local`).join(' ')} } }`
    for (const ask of [sandbox, main]) {
      const rows = dataOf(await ask(query)).pc_times_at.map(({ hijri_year, hijri_month, hijri_day, ...row }: Data) => {
        const [month, day] = [hijri_month, hijri_day].map(part => String(part).padStart(2, '0'))
        const utc = Object.fromEntries(times.map(name => [name, row[name]?.replace('+00:00', '') ?? null]))
        return { ...row, ...utc, hijri: `${hijri_year}-${month}-${day}` }
      })
      assert.deepEqual(rows, wanted)
    }
  })

  test('is what /v1/times says, whatever is asked: 200 questions, ten to a document', async () => {
    const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined })
    const asked = fc.record({
      latitude: fc.integer({ min: -90_00, max: 90_00 }).map(value => value / 100),
      longitude: fc.integer({ min: -180_00, max: 180_00 }).map(value => value / 100),
      first: fc.integer({ min: dayNumberOf('1900-01-01'), max: dayNumberOf('2173-12-28') }),
      days: fc.integer({ min: 1, max: 4 }),
      time_zone: maybe(
        fc.constantFrom('Europe/London', 'Pacific/Apia', 'america/new_york', 'Asia/Calcutta', 'Etc/GMT+12'),
      ),
      method: maybe(fc.constantFrom(...methodNames.filter(name => name !== 'Other'))),
      madhab: maybe(fc.constantFrom('shafi', 'hanafi')),
      high_latitude_rule: maybe(fc.constantFrom(...highLatitudeRules.filter(rule => rule !== null))),
      elevation: maybe(fc.integer({ min: 0, max: 9000 })),
      adjustments: maybe(fc.constantFrom('fajr:2,isha:-3', 'maghrib:99', 'asr:-99,sunrise:10')),
    })
    const questions = sampleOf(asked, 200)
      .slice(0, 200)
      .map(({ first, days, ...rest }) => ({ ...rest, from: dateOf(first), to: dateOf(first + days - 1) }))
    const instants = times.join(' ')
    for (let start = 0; start < questions.length; start += 10) {
      const ten = questions.slice(start, start + 10)
      const fields = `{ date time_zone method parameters qibla moved ${instants} }`
      const query = `query (${ten.map((_, index) => `$q${index}: pc_times_at_args!`).join(' ')}) {
        ${ten.map((_, index) => `q${index}: pc_times_at(args: $q${index}) ${fields}`).join('\n')} }`
      const variables = Object.fromEntries(ten.map((question, index) => [`q${index}`, question]))
      const data = dataOf(await sandbox(query, variables))
      for (const [index, question] of ten.entries()) {
        const given = Object.entries(question).filter(([, value]) => value !== undefined)
        const { days, ...place } = await plain(
          String(new URLSearchParams(given.map(([name, value]) => [name, String(value)]))),
        )
        const wanted = days.map((day: Data) => ({
          date: day.date,
          ...Object.fromEntries(['time_zone', 'method', 'parameters', 'qibla'].map(name => [name, place[name]])),
          moved: day.moved,
          ...Object.fromEntries(times.map(name => [name, day[name] && new Date(day[name]).toISOString().slice(0, 19)])),
        }))
        const rows = data[`q${index}`].map((row: Data) => ({
          ...row,
          ...Object.fromEntries(times.map(name => [name, row[name]?.replace('+00:00', '') ?? null])),
        }))
        assert.deepEqual(rows, wanted, JSON.stringify(question))
      }
    }
  })

  test('takes every parameter, as literals and as variables', async () => {
    const fields = '{ date time_zone method parameters isha_local moved }'
    const literal = `{ pc_times_at(args: {latitude: 51.5, longitude: -0.12, date: "2026-03-01", time_zone: "Europe/London", method: Other,
      madhab: hanafi, high_latitude_rule: middle_of_the_night, elevation: 120, adjustments: {fajr: 2, isha: -3},
      fajr_angle: 12.5, isha_minutes: 90, maghrib_angle: 4}) ${fields} }`
    const variables = {
      args: {
        latitude: 51.5,
        longitude: -0.12,
        date: '2026-03-01',
        time_zone: 'Europe/London',
        method: 'Other',
        madhab: 'hanafi',
        high_latitude_rule: 'middle_of_the_night',
        elevation: 120,
        adjustments: 'fajr:2,isha:-3',
        fajr_angle: 12.5,
        isha_minutes: 90,
        maghrib_angle: 4,
      },
    }
    const [row] = dataOf(await sandbox(literal)).pc_times_at
    assert.partialDeepStrictEqual(row, {
      method: 'Other',
      parameters: { madhab: 'hanafi', fajr_angle: 12.5, isha_minutes: 90, adjustments: { fajr: 2, isha: -3 } },
    })
    const whole = `query ($args: pc_times_at_args!) { pc_times_at(args: $args) ${fields} }`
    assert.deepEqual(dataOf(await sandbox(whole, variables)).pc_times_at, [row])
    const single = `query ($day: date, $north: Float!) { pc_times_at(args: {latitude: $north, longitude: -0.12, date: $day}) { date } }`
    assert.deepEqual(dataOf(await main(single, { day: '2026-03-01', north: 51.5 })).pc_times_at, [
      { date: '2026-03-01' },
    ])
    const today = (): string => new Date().toLocaleDateString('sv', { timeZone: 'Europe/London' })
    const before = today()
    const [now] = dataOf(await main(single, { day: null, north: 51.5 })).pc_times_at
    assert.ok([before, today()].includes(now.date))
  })

  test('a whole year at once, and days that begin and end the calendar', async () => {
    const year = dataOf(
      await main(`{ pc_times_at(args: {${oslo}, from: "2027-01-01", to: "2028-02-04"}) { date fajr_local } }`),
    ).pc_times_at
    assert.deepEqual([year.length, year[0].date, year.at(-1).date], [400, '2027-01-01', '2028-02-04'])
    const ends = dataOf(
      await main(`{ first: pc_times_at(args: {${oslo}, date: "1900-01-01"}) { date hijri_year }
        last: pc_times_at(args: {${oslo}, date: "2173-12-31"}) { date hijri_year } }`),
    )
    assert.deepEqual(ends, {
      first: [{ date: '1900-01-01', hijri_year: 1317 }],
      last: [{ date: '2173-12-31', hijri_year: 1600 }],
    })
  })

  test('filters, order, pages, totals, groups, fragments and directives, as of any list', async () => {
    const args = `args: {${oslo}, from: "2027-03-01", to: "2027-03-31"}`
    const data = dataOf(
      await sandbox(`query ($no: Boolean = false) {
        late: pc_times_at(${args}, where: {isha_local: {_gt: "2027-03-30T00:00"}}, order_by: {date: desc}, limit: 1, offset: 1) { ...day }
        pc_times_at_aggregate(${args}, group_by: [is_ramadan]) {
          aggregate { count min { date } max { date } }
          nodes { date }
          groups { keys { is_ramadan } aggregate { count } }
        }
        skipped: pc_times_at(args: {latitude: 200, longitude: 1}) @include(if: $no) { date }
      }
      fragment day on pc_place_times { __typename date }`),
    )
    assert.deepEqual(data.late, [{ __typename: 'pc_place_times', date: '2027-03-30' }])
    assert.deepEqual(data.pc_times_at_aggregate.aggregate, {
      count: 31,
      min: { date: '2027-03-01' },
      max: { date: '2027-03-31' },
    })
    assert.equal(data.pc_times_at_aggregate.nodes.length, 31)
    assert.deepEqual(
      data.pc_times_at_aggregate.groups.map(({ keys, aggregate }: Data) => [keys.is_ramadan, aggregate.count]),
      [
        [false, 23],
        [true, 8],
      ],
    )
    assert.equal(data.skipped, undefined)
  })

  test('a column is read wherever it is named, and nowhere else', async () => {
    const args = `args: {${oslo}, from: "2027-06-01", to: "2027-06-10", time_zone: "Europe/Oslo"}`
    const whole = dataOf(
      await sandbox(
        `{ pc_times_at(${args}) { date ${times.map(name => `${name} ${name}_local`).join(' ')} qibla parameters } }`,
      ),
    ).pc_times_at
    const data = dataOf(
      await sandbox(`{
        sorted: pc_times_at(${args}, order_by: [{isha_local: desc}, {date: asc}]) { date }
        filtered: pc_times_at(${args}, where: {_not: {duha: {_gt: "2027-06-05T00:00Z"}}}) { day: date }
        distinct: pc_times_at(${args}, distinct_on: [qibla], order_by: [{qibla: asc}, {date: desc}]) { date }
        part: pc_times_at(${args}, limit: 1) { parameters(path: "$.madhab") }
        totals: pc_times_at_aggregate(${args}) { aggregate { max { last_third } count(columns: [asr], distinct: true) } }
        grouped: pc_times_at_aggregate(${args}, group_by: [hijri_month]) { groups { keys { hijri_month } aggregate { min { sunset } } } }
        counted: pc_times_at_aggregate(${args}) { aggregate { count } }
      }`),
    )
    const latest = whole.toSorted((one: Data, other: Data) => (one.isha_local < other.isha_local ? 1 : -1))
    assert.deepEqual(
      data.sorted.map(({ date }: Data) => date),
      latest.map(({ date }: Data) => date),
    )
    assert.deepEqual(
      data.filtered,
      ['2027-06-01', '2027-06-02', '2027-06-03', '2027-06-04'].map(day => ({ day })),
    )
    assert.deepEqual(data.distinct, [{ date: '2027-06-10' }])
    assert.deepEqual(data.part, [{ parameters: 'shafi' }])
    assert.deepEqual(data.totals.aggregate, { max: { last_third: whole.at(-1).last_third }, count: 10 })
    assert.deepEqual(
      data.grouped.groups,
      [
        { keys: { hijri_month: 12 }, aggregate: { min: { sunset: whole[0].sunset } } },
        {
          keys: { hijri_month: 1 },
          aggregate: { min: { sunset: whole.find(({ date }: Data) => date === '2027-06-06').sunset } },
        },
      ].toSorted((one, other) => one.keys.hijri_month - other.keys.hijri_month),
    )
    assert.equal(data.counted.aggregate.count, 10)
  })

  test('beside masjids, in batches, by GET and as a persisted query', async () => {
    const query = `{ up_masjids(limit: 1) { slug } pc_times_at(args: {${oslo}, date: "2027-06-21"}) { date } }`
    const batch = (await (
      await api().post([{ query }, { query: '{ up_masjids(limit: 1) { slug } }' }])
    ).json()) as Body[]
    assert.deepEqual(batch[0]?.data.pc_times_at, [{ date: '2027-06-21' }])
    assert.equal(batch[0]?.data.up_masjids.length, 1)
    assert.equal(((await (await api().get({ query })).json()) as Body).data.pc_times_at.length, 1)
  })
})

describe('what cannot be answered', () => {
  const refused = async (args: string, variables: object = {}): Promise<readonly [string, string]> => {
    const { errors } = await sandbox(
      `query ($v: date) { pc_times_at(args: {${args}}) { date fajr } }`.replace(
        args.includes('$v') ? '' : '($v: date) ',
        '',
      ),
      variables,
    )
    return [errors?.[0]?.extensions.code, errors?.[0]?.message ?? '']
  }

  test('is refused in the words of /v1/times, with the name of the argument', async () => {
    const cases: readonly (readonly [string, string])[] = [
      ['latitude: 1', 'latitude=1'],
      ['longitude: 1', 'longitude=1'],
      ['latitude: 91, longitude: 0', 'latitude=91&longitude=0'],
      ['latitude: 0, longitude: -180.5', 'latitude=0&longitude=-180.5'],
      [`${oslo}, date: "1899-12-31"`, 'latitude=59.91&longitude=10.75&date=1899-12-31'],
      [`${oslo}, date: "2174-01-01"`, 'latitude=59.91&longitude=10.75&date=2174-01-01'],
      [`${oslo}, date: "2026-02-30"`, 'latitude=59.91&longitude=10.75&date=2026-02-30'],
      [`${oslo}, date: "today"`, 'latitude=59.91&longitude=10.75&date=today'],
      [`${oslo}, to: "2026-02-03"`, 'latitude=59.91&longitude=10.75&to=2026-02-03'],
      [`${oslo}, from: "2026-01-01", to: "2027-02-05"`, 'latitude=59.91&longitude=10.75&from=2026-01-01&to=2027-02-05'],
      [`${oslo}, from: "2026-01-02", to: "2026-01-01"`, 'latitude=59.91&longitude=10.75&from=2026-01-02&to=2026-01-01'],
      [`${oslo}, time_zone: "+03:00"`, 'latitude=59.91&longitude=10.75&time_zone=%2B03:00'],
      [`${oslo}, elevation: -1`, 'latitude=59.91&longitude=10.75&elevation=-1'],
      [`${oslo}, adjustments: "fajr:1000"`, 'latitude=59.91&longitude=10.75&adjustments=fajr:1000'],
      [`${oslo}, adjustments: {sunset: 1}`, 'latitude=59.91&longitude=10.75&adjustments=sunset:1'],
      [`${oslo}, fajr_angle: 12`, 'latitude=59.91&longitude=10.75&fajr_angle=12'],
      [`${oslo}, method: Other`, 'latitude=59.91&longitude=10.75&method=Other'],
    ]
    for (const [args, query] of cases) {
      const { error_description: wanted } = await plain(query)
      assert.ok(wanted, query)
      assert.deepEqual(await refused(args), ['bad-value', wanted], args)
    }
    assert.deepEqual(await refused(`${oslo}, date: $v`, { v: '2026-13-01' }), [
      'bad-value',
      '"date" is not a date such as 2027-02-18.',
    ])
  })

  test('arguments that the schema knows not, or lacks', async () => {
    for (const args of [`${oslo}, method: Mine`, `${oslo}, school: 1`, 'latitude: "1", longitude: 2'])
      assert.match((await refused(args))[0], /validation-failed/, args)
  })

  test('of several fields the one that is wrong is named by its path, and the others of a batch are answered', async () => {
    const wrong = `{ good: pc_times_at(args: {${oslo}}) { date } bad: pc_times_at(args: {latitude: 99, longitude: 1}) { date } }`
    assert.deepEqual((await main(wrong)).errors?.[0]?.path, ['bad'])
    const right = `{ pc_times_at(args: {${oslo}, date: "2027-01-01"}) { date } }`
    const [one, other] = (await (await api().post([{ query: wrong }, { query: right }])).json()) as Body[]
    assert.equal(one?.errors?.length, 1)
    assert.deepEqual(other?.data.pc_times_at, [{ date: '2027-01-01' }])
  })

  test('more days than a request may cost, in one document or in a batch', async () => {
    const field = (year: number) =>
      `y${year}: pc_times_at(args: {${oslo}, time_zone: "Europe/Oslo", from: "${year}-01-01", to: "${year}-12-31"}) { date }`
    const years = (count: number): string =>
      `{ ${Array.from({ length: count }, (_, index) => field(2030 + index)).join(' ')} }`
    assert.equal(Object.keys(dataOf(await main(years(5)))).length, 5)
    const { errors } = await main(years(6))
    assert.equal(errors?.[0]?.extensions.code, 'too-costly')
    assert.ok(errors?.[0]?.extensions.cost.rows > 50_000)
    const batch = (await (await api().post([{ query: years(3) }, { query: years(4) }])).json()) as Body[]
    assert.deepEqual(
      batch.map(({ errors: all }) => all?.[0]?.extensions.code),
      ['too-costly', 'too-costly'],
    )
    // The same question twice is calculated once.
    const twice = `{ ${Array.from({ length: 20 }, (_, index) => field(2030).replace('y2030', `again${index}`)).join(' ')} }`
    assert.equal(Object.keys(dataOf(await main(twice))).length, 20)
  })

  test('without the scope for prayer times, also by the totals', async () => {
    const key = await api().keyWith(['masjid:read'])
    for (const query of [
      `{ pc_times_at(args: {${oslo}}) { date } }`,
      `{ pc_times_at_aggregate(args: {${oslo}}) { aggregate { count } } }`,
    ]) {
      const response = await api().post({ query }, { authorization: `Bearer ${key}` })
      const { errors } = (await response.json()) as Body
      assert.equal(errors?.[0]?.extensions.code, 'insufficient-scope')
      assert.deepEqual(errors?.[0]?.extensions.scopes, ['prayer-times:read'])
    }
  })

  test('rows of a place have no list of their own, and cannot be written', async () => {
    for (const query of ['{ pc_place_times { date } }', '{ pc_place_times_aggregate { aggregate { count } } }'])
      assert.match((await main(query)).errors?.[0]?.message ?? '', /Cannot query field/)
    const { errors } = await main('mutation { insert_pc_place_times(objects: []) { affected_rows } }')
    assert.match(errors?.[0]?.message ?? '', /Cannot query field/)
  })
})
