// Hijri dates over HTTP: both ways, by whose calendar, and when the days that people ask for come next.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dateOf, dayNumberOf } from '../../src/base/civil-date.ts'
import { sql } from '../../src/db/sql.ts'
import { REQUESTS_PER_MINUTE } from '../../src/sandbox/request-limit.ts'
import type { Data } from '../support/graphql.ts'
import { insertMasjid } from '../support/masjids.ts'
import { startTestMinaret, useMinaret } from '../support/minaret.ts'

const minaret = useMinaret()
const database = () => minaret().service.database

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${minaret().baseUrl}/v1/hijri${path}`, { headers })

const answerTo = async (path: string): Promise<Data> => {
  const response = await get(path)
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text)
}

const refused = async (path: string): Promise<readonly [number, string]> => {
  const response = await get(path)
  const { error_description } = (await response.json()) as Record<string, string>
  return [response.status, error_description ?? '']
}

const dayOf = async (path: string): Promise<Data> => (await answerTo(path)).days[0]

describe('a date and its hijri date', () => {
  test('both ways, with the month, its name and its length', async () => {
    const answer = await answerTo('?date=2027-02-08')
    const day = {
      date: '2027-02-08',
      hijri: '1448-09-01',
      year: 1448,
      month: 9,
      day: 1,
      month_name: { en: 'Ramadan', ar: 'رمضان' },
      month_begins: '2027-02-08',
      month_days: 29,
      decided_by: 'calculated',
    }
    assert.deepEqual(answer, {
      authority: 'umm_al_qura',
      authority_name: null,
      masjid: null,
      adjustment: 0,
      days: [day],
    })
    assert.deepEqual((await answerTo('?hijri=1448-09-01')).days, [day])
    assert.equal((await dayOf('?date=2027-02-08&authority=tabular')).hijri, '1448-09-01')
    assert.equal((await dayOf('?hijri=1448-10-01&authority=tabular')).date, '2027-03-10')
  })

  test('days in a row, 400 at most, and the first and last that are answered', async () => {
    const { days } = await answerTo('?from=2026-06-01&to=2027-07-05')
    assert.deepEqual([days.length, days[0].date, days.at(-1).date], [400, '2026-06-01', '2027-07-05'])
    for (const date of ['1900-01-01', '2173-12-31'])
      for (const authority of ['umm_al_qura', 'tabular']) {
        const { hijri } = await dayOf(`?date=${date}&authority=${authority}`)
        assert.equal((await dayOf(`?hijri=${hijri}&authority=${authority}`)).date, date)
      }
    assert.equal((await dayOf('?date=1900-01-01')).hijri, '1317-08-29')
  })

  test('without a date it is today in the zone, kept only until its midnight', async () => {
    const today = (zone: string): string => new Date().toLocaleDateString('sv', { timeZone: zone })
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const before = today(zone)
      const response = await get(`?time_zone=${zone}`)
      const { days } = (await response.json()) as Data
      assert.ok([before, today(zone)].includes(days[0].date))
      const age = Number(/^public, max-age=(\d+)$/.exec(response.headers.get('cache-control') ?? '')?.[1])
      const clock = new Date().toLocaleTimeString('sv', { timeZone: zone }).split(':').map(Number)
      const left = 86_400 - ((clock[0] ?? 0) * 3600 + (clock[1] ?? 0) * 60 + (clock[2] ?? 0))
      assert.ok(Math.abs(age - left) <= 60 || left < 60 || age < 60, `${age} of ${left} seconds`)
    }
  })

  test('is kept for a day, is not sent again while it is right, and may be asked from any page', async () => {
    const first = await get('?date=2027-02-08')
    assert.equal(first.headers.get('cache-control'), 'public, max-age=86400')
    assert.equal(first.headers.get('access-control-allow-origin'), '*')
    const tag = first.headers.get('etag') ?? ''
    const again = await get('?date=2027-02-08', { 'if-none-match': tag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    const head = await fetch(`${minaret().baseUrl}/v1/hijri?date=2027-02-08`, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('etag')], [200, tag])
  })
})

describe('announced months', () => {
  const announce = async (column: 'authority_id' | 'masjid_id', id: string, month: number, starts: string) => {
    const [authority, masjid] = column === 'authority_id' ? [id, null] : [null, id]
    await database().run(sql`
      insert into pc_hijri_months (authority_id, masjid_id, hijri_year, hijri_month, starts_on)
      values (${authority}::uuid, ${masjid}::uuid, 1448, ${month}, ${starts}::date)`)
  }
  const makeAuthority = async (name: string): Promise<string> => {
    const [row] = await database().query<{ id: string }>(
      sql`insert into pc_hijri_authorities (name, country) values (${name}, 'NO') returning id`,
    )
    return row?.id ?? ''
  }

  test('of an authority move its months, both ways, and say so; those of others stay', async () => {
    const id = await makeAuthority('Fjord Moon Council')
    const other = await makeAuthority('Other Moon Council')
    await announce('authority_id', id, 9, '2027-02-09')
    const asked = `authority=${id}`
    const answer = await answerTo(`?date=2027-02-08&${asked}`)
    assert.deepEqual([answer.authority, answer.authority_name], [id, 'Fjord Moon Council'])
    assert.deepEqual([answer.days[0].hijri, answer.days[0].decided_by], ['1448-08-30', 'calculated'])
    const first = await dayOf(`?hijri=1448-09-01&${asked}`)
    assert.deepEqual([first.date, first.decided_by], ['2027-02-09', 'authority'])
    assert.equal((await dayOf(`?date=2027-02-08&authority=${other}`)).hijri, '1448-09-01')
    assert.equal((await dayOf(`?date=2027-02-08&authority=${id.toUpperCase()}`)).hijri, '1448-08-30')
    const next = await answerTo(`/next?day=ramadan&date=2027-01-01&${asked}`)
    assert.deepEqual([next.occurrences[0].first, next.occurrences[0].decided_by], ['2027-02-09', 'authority'])
    const { authorities } = await answerTo('/authorities')
    assert.deepEqual(
      authorities.filter((one: Data) => [id, other].includes(one.id)).map(({ name, country }: Data) => [name, country]),
      [
        ['Fjord Moon Council', 'NO'],
        ['Other Moon Council', 'NO'],
      ],
    )
  })

  test('are kept a quarter of an hour, and a new announcement is seen at once by who asks', async () => {
    const id = await makeAuthority('Late Moon Council')
    const path = `?date=2027-02-08&authority=${id}`
    const before = await get(path)
    assert.equal(before.headers.get('cache-control'), 'public, max-age=900')
    assert.equal(((await before.json()) as Data).days[0].hijri, '1448-09-01')
    await announce('authority_id', id, 9, '2027-02-09')
    const after = await get(path, { 'if-none-match': before.headers.get('etag') ?? '' })
    assert.equal(after.status, 200)
    assert.equal(((await after.json()) as Data).days[0].hijri, '1448-08-30')
  })

  test('of a masjid come first, then those of its authority, then its adjustment', async () => {
    const authority = await makeAuthority('Bay Moon Council')
    await announce('authority_id', authority, 9, '2027-02-09')
    const masjid = await insertMasjid(database(), { timezone: 'America/New_York' })
    await database().run(sql`
      update up_masjids set hijri_authority_id = ${authority}, hijri_adjustment = 1 where id = ${masjid}`)
    await announce('masjid_id', masjid, 9, '2027-02-08')
    const on = async (date: string): Promise<readonly unknown[]> => {
      const { hijri, decided_by } = await dayOf(`?date=${date}&masjid=${masjid}`)
      return [hijri, decided_by]
    }
    assert.deepEqual(await on('2027-02-08'), ['1448-09-01', 'masjid'])
    const { authority: followed, adjustment } = await answerTo(`?date=2027-02-08&masjid=${masjid}`)
    assert.deepEqual([followed, adjustment], [authority, 1])
    await database().run(sql`update pc_hijri_months set deleted_at = now() where masjid_id = ${masjid}`)
    assert.deepEqual(await on('2027-02-09'), ['1448-09-01', 'authority'])
    await database().run(sql`update up_masjids set hijri_authority_id = null where id = ${masjid}`)
    assert.deepEqual(await on('2027-02-07'), ['1448-09-01', 'calculated'])
    await database().run(sql`update up_masjids set deleted_at = now() where id = ${masjid}`)
    assert.deepEqual(await refused(`?date=2027-02-07&masjid=${masjid}`), [404, 'There is no such masjid.'])
  })
})

describe('the days that people ask for', () => {
  test('come next, each with its first and last day', async () => {
    const { from, occurrences } = await answerTo('/next?date=2027-01-01')
    assert.equal(from, '2027-01-01')
    assert.deepEqual(
      occurrences.map(({ day, first, last, hijri_first, hijri_last }: Data) => [
        day,
        first,
        last,
        hijri_first,
        hijri_last,
      ]),
      [
        ['white_days', '2027-01-21', '2027-01-23', '1448-08-13', '1448-08-15'],
        ['ramadan', '2027-02-08', '2027-03-08', '1448-09-01', '1448-09-29'],
        ['eid_al_fitr', '2027-03-09', '2027-03-09', '1448-10-01', '1448-10-01'],
        ['arafah', '2027-05-15', '2027-05-15', '1448-12-09', '1448-12-09'],
        ['eid_al_adha', '2027-05-16', '2027-05-16', '1448-12-10', '1448-12-10'],
        ['ashura', '2027-06-15', '2027-06-15', '1449-01-10', '1449-01-10'],
      ],
    )
  })

  test('count while they are under way, and not a day longer', async () => {
    const ramadan = async (date: string): Promise<readonly unknown[]> => {
      const { occurrences } = await answerTo(`/next?day=ramadan&date=${date}`)
      return [occurrences[0].first, occurrences[0].under_way]
    }
    assert.deepEqual(await ramadan('2027-02-07'), ['2027-02-08', false])
    assert.deepEqual(await ramadan('2027-02-08'), ['2027-02-08', true])
    assert.deepEqual(await ramadan('2027-03-08'), ['2027-02-08', true])
    assert.deepEqual(await ramadan('2027-03-09'), ['2028-01-28', false])
  })

  test('several of them; the white days of Dhu al-Hijjah begin after the days of tashriq', async () => {
    const years = (await answerTo('/next?day=ashura&date=2026-01-01&count=10')).occurrences
    assert.deepEqual(
      years.map(({ hijri_first }: Data) => hijri_first),
      Array.from({ length: 10 }, (_, index) => `${1448 + index}-01-10`),
    )
    const white = (await answerTo('/next?day=white_days&date=2027-04-20&count=3')).occurrences
    assert.deepEqual(
      white.map(({ hijri_first, hijri_last }: Data) => [hijri_first, hijri_last]),
      [
        ['1448-11-13', '1448-11-15'],
        ['1448-12-14', '1448-12-15'],
        ['1449-01-13', '1449-01-15'],
      ],
    )
  })

  test('every one of them, from days all over the calendar, is on the hijri day that it says', async () => {
    const hijriDays: Readonly<Record<string, readonly [string, string]>> = {
      eid_al_fitr: ['10-01', '10-01'],
      arafah: ['12-09', '12-09'],
      eid_al_adha: ['12-10', '12-10'],
      ashura: ['01-10', '01-10'],
    }
    for (let day = dayNumberOf('1900-01-01'); day < dayNumberOf('2173-01-01'); day += 4999)
      for (const authority of ['umm_al_qura', 'tabular']) {
        const { occurrences } = await answerTo(`/next?date=${dateOf(day)}&authority=${authority}`)
        assert.equal(occurrences.length, 6)
        for (const { day: name, first, last, hijri_first, hijri_last } of occurrences) {
          assert.ok(last >= dateOf(day))
          assert.equal((await dayOf(`?date=${first}&authority=${authority}`)).hijri, hijri_first)
          assert.equal((await dayOf(`?date=${last}&authority=${authority}`)).hijri, hijri_last)
          const expected = hijriDays[name]
          if (expected !== undefined) assert.deepEqual([hijri_first.slice(5), hijri_last.slice(5)], expected)
        }
      }
  })

  test('end with the calendar', async () => {
    const { occurrences } = await answerTo('/next?date=2173-12-31&count=10')
    assert.deepEqual(occurrences, [])
    const last = (await answerTo('/next?day=ramadan&date=2172-01-01&count=10')).occurrences
    assert.ok(last.length >= 1 && last.length <= 2 && last.at(-1).last <= '2173-12-31')
  })
})

test('what cannot be read is refused by the name of its parameter', async () => {
  const cases: readonly (readonly [string, string])[] = [
    ['?date=2027-02-30', 'date'],
    ['?date=1899-12-31', 'date'],
    ['?date=2174-01-01', 'date'],
    ['?date=2027-01-01&from=2027-01-01', 'date'],
    ['?from=2026-01-01&to=2027-02-05', 'to'],
    ['?to=2026-01-01', 'from'],
    ['?hijri=1448-13-01', 'hijri'],
    ['?hijri=1448-09-31', 'hijri'],
    ['?hijri=1448-09-30', 'hijri'],
    ['?hijri=1448-9-1', 'hijri'],
    ['?hijri=0000-01-01', 'hijri'],
    ['?hijri=9999-12-30', 'hijri'],
    ['?hijri=1317-08-28', 'hijri'],
    ['?hijri=1448-09-01&date=2027-01-01', 'hijri'],
    ['?hijri=1448-09-01&hijri=1448-09-02', 'hijri'],
    ['?authority=mecca', 'authority'],
    ['?authority=__proto__', 'authority'],
    ["?masjid='--", 'masjid'],
    [`?masjid=${'a'.repeat(500)}`, 'masjid'],
    ['?masjid=x&authority=tabular', 'masjid'],
    ['?date=2027-01-01&time_zone=Europe/Oslo', 'time_zone'],
    ['?time_zone=Mars', 'time_zone'],
    ['?count=1', 'count'],
    ['/next?day=christmas', 'day'],
    ['/next?count=11', 'count'],
    ['/next?count=0', 'count'],
    ['/next?count=1e1', 'count'],
    ['/next?date=today', 'date'],
    ['/next?hijri=1448-09-01', 'hijri'],
  ]
  for (const [path, name] of cases) {
    const [status, text] = await refused(path)
    assert.equal(status, 400, path)
    assert.ok(text.startsWith(`"${name}" `), `${path}: ${text}`)
  }
  assert.deepEqual(await refused('?authority=00000000-0000-0000-0000-000000000000'), [
    404,
    '"authority" is no authority that announces months here.',
  ])
  assert.equal((await refused('?masjid=nowhere'))[0], 404)
})

test('the OpenAPI document has every parameter that is read, and an answer has what it says', async () => {
  const document = (await (await fetch(`${minaret().baseUrl}/v1/openapi.json`)).json()) as Data
  for (const path of ['', '/next', '/authorities']) {
    const { parameters, responses } = document.paths[`/v1/hijri${path}`].get
    for (const { name } of parameters) {
      const [status, text] = await refused(`${path}?${name}=%00`)
      assert.deepEqual([status, text.startsWith(`"${name}" `)], [400, true], `${path} ${name}: ${text}`)
    }
    const { $ref } = responses[200].content['application/json'].schema
    const schema = document.components.schemas[$ref.split('/').at(-1)]
    const answer = await answerTo(path)
    assert.deepEqual(Object.keys(answer).sort(), schema.required.toSorted())
    for (const list of ['days', 'occurrences'].filter(name => name in answer))
      assert.deepEqual(Object.keys(answer[list][0]).sort(), schema.properties[list].items.required.toSorted())
  }
})

test('an address pays for each request, and more where announcements are read', async () => {
  const limited = await startTestMinaret({ RATE_LIMITS: 'on', TRUST_PROXY: 'on' })
  try {
    const statusOf = async (path: string): Promise<number> => {
      const headers = { 'x-forwarded-for': '192.0.2.9' }
      const response = await fetch(`${limited.baseUrl}/v1/hijri${path}`, { headers })
      await response.arrayBuffer()
      return response.status
    }
    let answered = 0
    while (answered < 400 && (await statusOf('/authorities')) === 200) answered += 1
    assert.equal(answered, REQUESTS_PER_MINUTE / 5)
    assert.equal(await statusOf('?date=2027-01-01'), 429)
  } finally {
    await limited.stop()
  }
})
