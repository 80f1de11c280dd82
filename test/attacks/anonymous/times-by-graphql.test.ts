// Strangers and times of places by GraphQL: no argument is a fault of ours, none asks for more than is counted, and nothing is stale.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rawSql } from '../../../src/db/sql.ts'
import { withCalculatedRows } from '../../../src/graphql/calculated/calculate-rows.ts'
import { ROWS_PER_POINT } from '../../../src/sandbox/request-limit.ts'
import { useApi } from '../../graphql/use-api.ts'
import { follow } from '../../live/events.ts'
import type { Data } from '../../support/graphql.ts'
import { useMinaret } from '../../support/minaret.ts'

const oslo = 'latitude: 59.91, longitude: 10.75'

const ask = async (url: string, body: object, headers: Record<string, string> = {}): Promise<Data> => {
  const response = await fetch(`${url}/v1/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: response.status, ...((await response.json()) as object) }
}

describe('times of places by GraphQL, asked by strangers', () => {
  const api = useApi()

  test('whatever an argument is, the answer is rows, or an error that is the caller’s', async () => {
    const values: readonly unknown[] = [
      null,
      '',
      'NaN',
      'Infinity',
      '0x1F',
      '\u0000',
      '\ud800',
      '__proto__',
      'infinity',
      '-infinity',
      '2026-01-01 BC',
      "' or 1=1--",
      '<script>',
      '9'.repeat(5000),
      1e300,
      -1e300,
      true,
      [],
      ['2026-01-01', '2026-01-02'],
      {},
      { fajr: [1] },
      { fajr: { isha: 1 } },
      { __proto__: 1, constructor: 2 },
      [[[[{}]]]],
    ]
    const query = 'query ($args: pc_times_at_args!) { pc_times_at(args: $args) { date fajr parameters moved } }'
    const names = [
      'date',
      'from',
      'to',
      'time_zone',
      'method',
      'madhab',
      'high_latitude_rule',
      'elevation',
      'adjustments',
    ]
    const numbers = ['latitude', 'longitude', 'fajr_angle', 'isha_angle', 'isha_minutes', 'maghrib_angle']
    const shown = new Set<string>()
    for (const name of [...names, ...numbers])
      for (const value of values) {
        const args = { latitude: 1, longitude: 2, [name]: value }
        const { status, data, errors } = await ask(api().minaret.sandboxUrl, { query, variables: { args } })
        const what = `${name}: ${JSON.stringify(value)?.slice(0, 60)}: ${JSON.stringify(errors)}`
        assert.ok(status < 500, what)
        assert.equal(data === undefined || data === null, errors !== undefined, what)
        for (const { message, extensions } of errors ?? []) {
          assert.ok(['bad-value', 'bad-variables'].includes(extensions.code), what)
          assert.ok(message.includes(name), what)
          shown.add(extensions.code)
        }
      }
    assert.equal(shown.size, 2)
  })

  test('the directions of others stay: a filter reaches no statement, and no other column', async () => {
    const { data } = await ask(api().minaret.sandboxUrl, {
      query: `{ pc_times_at(args: {${oslo}, time_zone: "Europe/Oslo", adjustments: "fajr:1"},
        where: {time_zone: {_eq: "x' or 'a' = 'a"}}) { date } }`,
    })
    assert.deepEqual(data.pc_times_at, [])
  })

  test('the database alone answers nothing, whoever asks it', async () => {
    for (const role of ['minaret_reader', 'minaret_sandbox']) {
      const schema = role === 'minaret_sandbox' ? 'sandbox' : 'public'
      await assert.rejects(
        api().minaret.service.database.transaction(async transaction => {
          await transaction.run(rawSql(`set local role ${role}`))
          await transaction.run(rawSql(`select * from ${schema}.pc_times_at(1, 2)`))
        }),
        /is calculated by the service/,
      )
    }
    const [definer] = await api().minaret.service.database.query<{ some: boolean }>(
      rawSql(`select bool_or(prosecdef) as some from pg_proc where proname = 'pc_times_at'`),
    )
    assert.equal(definer?.some, false)
  })

  test('it cannot be followed: nothing says when it changes', async () => {
    const query = `subscription { pc_times_at(args: {${oslo}}) { date } }`
    const refused = await follow({ url: api().url, key: api().key, query })
    await refused.until(1)
    await refused.close()
    assert.equal(refused.results[0].errors?.[0].extensions.code, 'not-live')
    assert.match(refused.results[0].errors[0].message, /pc_place_times.*Query instead/)
  })

  test('no answer is kept in memory: today ends, and rules of time zones change', async () => {
    const query = `{ pc_times_at(args: {${oslo}}) { date } }`
    const headers = { authorization: `Bearer ${api().key}`, 'x-minaret-explain': '1' }
    for (let round = 0; round < 3; round += 1) {
      const { extensions } = await ask(api().minaret.baseUrl, { query }, headers)
      assert.deepEqual([extensions.cache?.hit ?? false, extensions.cache?.kept ?? false], [false, false])
      assert.equal(extensions.cost.rows, 1025)
    }
  })

  test('a limit, an offset and nodes beyond the days that are calculated', async () => {
    const field = (list: string): string => `{ pc_times_at(args: {${oslo}, date: "2027-01-01"}, ${list}) { date } }`
    const code = async (list: string): Promise<string | undefined> =>
      (await ask(api().minaret.sandboxUrl, { query: field(list) })).errors?.[0].extensions.code
    assert.equal(await code('limit: 400'), undefined)
    assert.equal(await code('limit: 401'), 'page-out-of-range')
    assert.equal(await code('limit: -1'), 'page-out-of-range')
    assert.equal(await code('offset: 5'), undefined)
    assert.notEqual(await code('after: "x"'), undefined)
  })
})

test('between one list and the next, others have their turn', async () => {
  let others = 0
  const seen: number[] = []
  const rows = Array.from({ length: 4 }, (_, slot) => ({
    slot,
    cost: 1,
    write: async () => {
      seen.push(others)
      setImmediate(() => {
        others += 1
      })
      return `${slot}`
    },
  }))
  assert.deepEqual(await withCalculatedRows([null, null, null, null, 'x'], rows, { who: '', read: async () => '' }), [
    '0',
    '1',
    '2',
    '3',
    'x',
  ])
  assert.deepEqual(seen, [0, 1, 2, 3])
})

describe('an address in the sandbox', () => {
  const minaret = useMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' })

  test('pays for days as at /v1/times, one more request for every 20', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const year = (index: number): object => ({
      query: `{ pc_times_at(args: {latitude: ${index / 10}, longitude: 10, time_zone: "Africa/Lagos", from: "2026-01-01", to: "2027-02-04"}) { date } }`,
    })
    let answered = 0
    for (let index = 0; index < 70; index += 1) {
      const { status } = await ask(minaret().sandboxUrl, year(index), from('192.0.2.7'))
      if (status !== 200) break
      answered += 1
    }
    // Each is one request and 400 days of 25 rows.
    assert.equal(answered, Math.floor(1200 / (1 + (400 * 25) / ROWS_PER_POINT)))
    assert.equal((await ask(minaret().sandboxUrl, year(99), from('192.0.2.8'))).status, 200)
  })
})
