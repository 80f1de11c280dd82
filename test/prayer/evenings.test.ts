// Whole years with seasonal rules: which rule each prayer of each day follows where Ramadan begins and ends, checked against the first and last
// days of Ramadan written down here.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { insertRule, type ResolvedTime, resolvedTimes, type TestRule } from '../support/iqamah.ts'
import { insertMasjid, type TestMasjid } from '../support/masjids.ts'
import { useDatabase } from '../support/open-database.ts'
import { fillDays } from '../support/prayer-times.ts'

const database = useDatabase()

const FROM = '2026-01-01'
const DAYS = 480

/** The first and the last day of Ramadan: of 30 days in 1447 and of 29 in 1448, by the Umm al-Qura calendar. */
const calculated = [
  ['2026-02-18', '2026-03-19'],
  ['2027-02-08', '2027-03-08'],
] as const

type Ramadans = readonly (readonly [first: string, last: string])[]

const dayAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const isWithin = (ramadans: Ramadans, date: string): boolean =>
  ramadans.some(([first, last]) => date >= first && date <= last)

const moved = (days: number): Ramadans =>
  calculated.map(([first, last]) => [dayAfter(first, days), dayAfter(last, days)] as const)

/** Minutes after the adhan. Isha is so much earlier in Ramadan that Taraweeh comes after it only where both follow one season. */
const usual: Readonly<Record<string, number>> = { fajr: 30, dhuhr: 20, asr: 15, maghrib: 5, isha: 45 }
const ramadan: Readonly<Record<string, number>> = { fajr: 10, dhuhr: 15, asr: 12, maghrib: 9, isha: 15, taraweeh: 25 }

const rulesOf = (waits: Readonly<Record<string, number>>, season: string): TestRule[] =>
  Object.entries(waits).map(([prayer, offset_minutes]) => ({ prayer, rule: 'offset', offset_minutes, season }))

const minutes = (from: Date | null, to: Date | null): number => (Number(to) - Number(from)) / 60_000

interface Case {
  readonly name: string
  readonly place: TestMasjid
  readonly ramadans: Ramadans
  /** What holds outside Ramadan: a rule for the rest of the year, or one for all of it. */
  readonly otherwise?: 'all_year' | 'outside_ramadan'
  readonly announced?: readonly (readonly [month: number, on: string])[]
  readonly byAuthority?: boolean
}

const mecca = { latitude: 21.42, longitude: 39.83, timezone: 'Asia/Riyadh', calculation_method: 'UmmAlQura' }

const cases: readonly Case[] = [
  ...[-1, 0, 1].map(
    (days): Case => ({
      name: `Umm al-Qura, adjusted by ${days}`,
      place: { ...mecca, hijri_adjustment: days },
      ramadans: moved(-days),
    }),
  ),
  {
    name: 'months announced by the masjid: 29 days instead of 30, and a day later',
    place: mecca,
    ramadans: [
      ['2026-02-19', '2026-03-19'],
      ['2027-02-09', '2027-03-10'],
    ],
    announced: [
      [1447 * 12 + 8, '2026-02-19'],
      [1447 * 12 + 9, '2026-03-20'],
      [1448 * 12 + 8, '2027-02-09'],
      [1448 * 12 + 9, '2027-03-11'],
    ],
  },
  {
    name: 'months announced by an authority, over an adjustment',
    place: { timezone: 'America/New_York', hijri_adjustment: 1 },
    ramadans: [
      ['2026-02-17', '2026-03-18'],
      ['2027-02-07', '2027-03-07'],
    ],
    announced: [
      [1447 * 12 + 8, '2026-02-17'],
      [1447 * 12 + 9, '2026-03-19'],
    ],
    byAuthority: true,
    otherwise: 'all_year',
  },
  {
    name: 'east of the date line, summer time',
    place: { latitude: -36.85, longitude: 174.76, timezone: 'Pacific/Auckland' },
    ramadans: calculated,
  },
  {
    name: 'clocks that go back for Ramadan',
    place: { latitude: 33.57, longitude: -7.59, timezone: 'Africa/Casablanca', hijri_adjustment: -1 },
    ramadans: moved(1),
    otherwise: 'all_year',
  },
  {
    name: 'west of the date line, Umm al-Qura',
    place: { latitude: 21.31, longitude: -157.86, timezone: 'Pacific/Honolulu', calculation_method: 'UmmAlQura' },
    ramadans: calculated,
    otherwise: 'all_year',
  },
]

const announce = async (masjid: string, { announced = [], byAuthority = false }: Case): Promise<void> => {
  const authority = byAuthority
    ? await database().first<{ id: string }>(
        sql`insert into pc_hijri_authorities (name) values ('Moon Council') returning id`,
      )
    : undefined
  if (authority !== undefined)
    await database().run(sql`update up_masjids set hijri_authority_id = ${authority.id} where id = ${masjid}`)
  for (const [month, on] of announced)
    await database().run(sql`
      insert into pc_hijri_months (masjid_id, authority_id, hijri_year, hijri_month, starts_on)
      values (${authority === undefined ? masjid : null}, ${authority?.id ?? null}, ${Math.floor(month / 12)}, ${(month % 12) + 1}, ${on})`)
}

const prepare = async (given: Case): Promise<Map<string, readonly ResolvedTime[]>> => {
  const masjid = await insertMasjid(database(), given.place)
  for (const rule of [...rulesOf(usual, given.otherwise ?? 'outside_ramadan'), ...rulesOf(ramadan, 'ramadan')])
    await insertRule(database(), masjid, rule)
  await announce(masjid, given)
  await fillDays(database(), { from: FROM, days: DAYS })
  return Map.groupBy(await resolvedTimes(database(), masjid, FROM, dayAfter(FROM, DAYS - 1)), ({ date }) => date)
}

/** The evening belongs to the day that follows it. */
const expectedWaits = (ramadans: Ramadans, date: string): Record<string, number> => {
  const [morning, evening] = [date, dayAfter(date)].map(day => (isWithin(ramadans, day) ? ramadan : usual))
  const { fajr, dhuhr, asr } = morning ?? {}
  const { maghrib, isha, taraweeh } = evening ?? {}
  return { fajr, dhuhr, asr, maghrib, isha, ...(taraweeh === undefined ? {} : { taraweeh }) } as Record<string, number>
}

describe('the rules of every day', () => {
  for (const given of cases)
    test(given.name, async () => {
      const days = await prepare(given)
      const { ramadans, place } = given
      assert.equal(days.size, DAYS)
      const taraweehs: string[] = []
      for (const [date, times] of days) {
        const of = new Map(times.map(time => [time.prayer, time]))
        const at = (prayer: string, which: 'adhan_at' | 'iqamah_at'): Date | null => of.get(prayer)?.[which] ?? null
        const waits = times.map(({ prayer, adhan_at, iqamah_at }) => [prayer, minutes(adhan_at, iqamah_at)])
        assert.deepEqual(Object.fromEntries(waits), expectedWaits(ramadans, date), date)
        for (const { is_ramadan } of times) assert.equal(is_ramadan, isWithin(ramadans, date), date)
        if (of.has('taraweeh')) {
          taraweehs.push(date)
          assert.ok(
            Number(at('taraweeh', 'iqamah_at')) > Number(at('isha', 'iqamah_at')),
            `${date}: Taraweeh before Isha`,
          )
        }
        if (place.calculation_method === 'UmmAlQura') {
          const longer = isWithin(ramadans, dayAfter(date)) ? 120 : 90
          assert.equal(minutes(at('maghrib', 'adhan_at'), at('isha', 'adhan_at')), longer, date)
        }
      }
      const evenings = ramadans.flatMap(([first, last]) => {
        const nights: string[] = []
        for (let day = first; day <= last; day = dayAfter(day)) nights.push(dayAfter(day, -1))
        return nights
      })
      assert.deepEqual(taraweehs, evenings)
    })
})
