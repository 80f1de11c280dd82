// The times of a place → JSON, a calendar or a table.
import { type DayNumber, dateOf, dayNumberOf } from '../base/civil-date.ts'
import { writeCsv } from '../base/csv-text.ts'
import { type Component, type Property, writeCalendar } from '../feeds/calendar-text.ts'
import { createCalendarZone, utcText } from '../feeds/calendar-zone.ts'
import { calendarOf } from '../feeds/feed.ts'
import type { HijriDate } from '../prayer/calculation/hijri.ts'
import { type PlaceDay, timeNames } from './calculate-place.ts'
import { describePlace } from './describe-place.ts'
import { instantTexts, memberText } from './instant-text.ts'
import type { SettledQuestion } from './place-times.ts'

export interface AnsweredQuestion {
  readonly settled: SettledQuestion
  readonly days: readonly PlaceDay[]
}

const two = (value: number): string => String(value).padStart(2, '0')

const hijriText = ({ year, month, day }: HijriDate): string => `${year}-${two(month)}-${two(day)}`

/** As text at once: objects for a year of days would take twice as long as calculating them. */
export const writeJson = ({ settled, days }: AnsweredQuestion): string => {
  const texts = instantTexts(settled.place.timeZone)
  const written = days.map(({ day, hijri, isRamadan, times, moved }) => {
    let row = `{"date":"${texts.dateOf(day)}"`
    for (const name of timeNames) row += memberText(name, texts.instant(times[name]))
    return `${row},"hijri":"${hijriText(hijri)}","is_ramadan":${isRamadan},"moved":${JSON.stringify(moved)}}`
  })
  return `${JSON.stringify(describePlace(settled)).slice(0, -1)},"days":[${written.join()}]}`
}

const movedText = (moved: PlaceDay['moved']): string =>
  Object.entries(moved)
    .map(([prayer, by]) => `${prayer}:${by}`)
    .join(' ')

export const writeTable = ({ settled, days }: AnsweredQuestion): string => {
  const { timeZone, method } = settled.place
  const texts = instantTexts(timeZone)
  return writeCsv(
    ['date', 'hijri', ...timeNames, 'moved', 'time_zone', 'method'],
    days.map(({ day, hijri, times, moved }) => [
      texts.dateOf(day),
      hijriText(hijri),
      ...timeNames.map(name => texts.instant(times[name])),
      movedText(moved),
      timeZone,
      method,
    ]),
  )
}

const prayers = {
  fajr: 'Fajr',
  sunrise: 'Sunrise',
  dhuhr: 'Dhuhr',
  asr: 'Asr',
  maghrib: 'Maghrib',
  isha: 'Isha',
} as const
const names = Object.keys(prayers) as (keyof typeof prayers)[]

const MINUTE_MS = 60_000
const PRAYER_MS = 15 * MINUTE_MS
const DAY_MS = 86_400_000

const LAST_ZONED: DayNumber = dayNumberOf('2099-12-30')

type Dated = (name: string, instant: Date) => Property

/** Before 1970 and from 2100 on calendars have no rules of a zone from us: such times are written in UTC. */
const datedIn = ({
  place: { timeZone },
  range: { from, to },
}: SettledQuestion): { zone: Component[]; dated: Dated } => {
  if (from <= 1 || to >= LAST_ZONED) return { zone: [], dated: (name, instant) => [name, utcText(instant)] }
  const zone = createCalendarZone(timeZone, new Date(from * DAY_MS), new Date((to + 2) * DAY_MS))
  return { zone: [zone.component], dated: zone.property }
}

const eventsOf = ({ day, hijri, times, moved }: PlaceDay, place: string, dated: Dated): Component[] => {
  const [date, stamp, about] = [dateOf(day), utcText(new Date(day * DAY_MS)), `Hijri ${hijriText(hijri)}`]
  return names.flatMap(name => {
    const minute = times[name]
    if (minute === null) return []
    const begins = new Date(minute * MINUTE_MS)
    const by = moved[name] === undefined ? '' : `\\nMoved by ${moved[name]}`
    return [
      {
        name: 'VEVENT',
        properties: [
          ['UID', `${place}-${date}-${name}@times.minaret`],
          // RFC 5545 section 3.8.7.2: when it was last revised. The current time would change the ETag on every request.
          ['DTSTAMP', stamp],
          dated('DTSTART', begins),
          dated('DTEND', new Date(begins.getTime() + PRAYER_MS)),
          ['SUMMARY', prayers[name]],
          ['DESCRIPTION', `${about}${by}`],
          ['CATEGORIES', 'PRAYER'],
          ['TRANSP', 'TRANSPARENT'],
        ],
      },
    ]
  })
}

export const writePlaceCalendar = ({ settled, days }: AnsweredQuestion): string => {
  const { latitude, longitude, timeZone } = settled.place
  const { zone, dated } = datedIn(settled)
  const place = `${latitude}_${longitude}`
  const events = days.flatMap(day => eventsOf(day, place, dated))
  return writeCalendar(calendarOf({ title: 'Prayer times', timezone: timeZone }, [...zone, ...events]))
}
