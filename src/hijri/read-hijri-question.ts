// Parameters as somebody sent them → what is asked about hijri dates, or a sentence that names the parameter.
import { type DayNumber, dayNumberOf } from '../base/civil-date.ts'
import { isUuidInAnyCase } from '../base/uuid.ts'
import { FIRST_DATE, LAST_DATE } from '../place-times/parameters.ts'
import type { DayRange } from '../place-times/question.ts'
import { checkNames, type RawQuestion, readDate, readRange, readZone, refuse } from '../place-times/read-days.ts'
import type { HijriDate } from '../prayer/calculation/hijri.ts'
import { type AskedAuthority, calculatedAuthorities } from './authority.ts'
import { FURTHEST } from './find-day.ts'
import { type Occasion, occasionNames } from './next-days.ts'
import { dayParameters, MOST_COUNT, nextParameters } from './parameters.ts'
import { startOfTabularMonth } from './tabular.ts'

interface Asked {
  readonly authority: AskedAuthority
  /** In which it is today, where no day is given. */
  readonly timeZone: string | undefined
}

export interface DaysQuestion extends Asked {
  /** Undefined: today. */
  readonly days: DayRange | HijriDate | undefined
}

export interface NextQuestion extends Asked {
  readonly occasions: readonly Occasion[]
  /** Undefined: today. */
  readonly from: DayNumber | undefined
  readonly count: number
}

export const isHijriDate = (days: DayRange | HijriDate): days is HijriDate => 'year' in days

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/
const LONGEST_SLUG = 80

const readMasjid = (value: unknown): AskedAuthority => {
  const isNamed = typeof value === 'string' && value.length <= LONGEST_SLUG
  if (!isNamed || !(slug.test(value) || isUuidInAnyCase(value))) throw refuse('masjid', 'is neither a slug nor an id.')
  return { kind: 'masjid', idOrSlug: value }
}

const readAuthority = ({ authority = null, masjid = null }: RawQuestion): AskedAuthority => {
  if (masjid !== null) {
    if (authority !== null) throw refuse('masjid', 'has a calendar of its own: leave out "authority".')
    return readMasjid(masjid)
  }
  if (authority === null) return { kind: 'calculated', name: 'umm_al_qura' }
  const name = calculatedAuthorities.find(one => one === authority)
  if (name !== undefined) return { kind: 'calculated', name }
  if (typeof authority === 'string' && isUuidInAnyCase(authority)) return { kind: 'authority', id: authority }
  throw refuse('authority', `is none of ${calculatedAuthorities.join(', ')}, and no id.`)
}

const readToday = (raw: RawQuestion, isDated: boolean): string | undefined => {
  const zone = readZone(raw)
  if (zone !== undefined && isDated)
    throw refuse('time_zone', 'says which day is today: leave it out where a day is given.')
  return zone
}

/** Any calendar has it within the years that are answered, give or take the days by which calendars differ. */
const isNearRange = ({ year, month }: HijriDate): boolean => {
  const near = startOfTabularMonth(year, month)
  return near > dayNumberOf(FIRST_DATE) - 31 - FURTHEST && near < dayNumberOf(LAST_DATE) + FURTHEST
}

export const outsideHijri = () => refuse('hijri', `is not a day from ${FIRST_DATE} to ${LAST_DATE}.`)

const readHijri = ({ hijri: value = null }: RawQuestion): HijriDate | undefined => {
  if (value === null) return undefined
  const parts = typeof value === 'string' ? /^(\d{4})-(\d\d)-(\d\d)$/.exec(value) : null
  const [year = 0, month = 0, day = 0] = (parts ?? []).slice(1).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > 30) throw refuse('hijri', 'is not a hijri date such as 1448-09-01.')
  if (!isNearRange({ year, month, day })) throw outsideHijri()
  return { year, month, day }
}

/** @throws {Fault} `bad_request` that names the parameter */
export const readDaysQuestion = (raw: RawQuestion): DaysQuestion => {
  checkNames(raw, Object.keys(dayParameters))
  const [range, hijri] = [readRange(raw), readHijri(raw)]
  if (range !== undefined && hijri !== undefined)
    throw refuse('hijri', 'is a day by itself: leave out the other dates.')
  const days = hijri ?? range
  return { authority: readAuthority(raw), days, timeZone: readToday(raw, days !== undefined) }
}

const readOccasions = ({ day = null }: RawQuestion): readonly Occasion[] => {
  if (day === null) return occasionNames
  const found = occasionNames.find(name => name === day)
  if (found === undefined) throw refuse('day', `is none of ${occasionNames.join(', ')}.`)
  return [found]
}

const readCount = ({ count = null }: RawQuestion): number => {
  if (count === null) return 1
  const number = typeof count === 'string' && /^\d{1,3}$/.test(count) ? Number(count) : Number.NaN
  if (!(number >= 1 && number <= MOST_COUNT)) throw refuse('count', `is not a whole number from 1 to ${MOST_COUNT}.`)
  return number
}

/** @throws {Fault} `bad_request` that names the parameter */
export const readNextQuestion = (raw: RawQuestion): NextQuestion => {
  checkNames(raw, Object.keys(nextParameters))
  const from = readDate(raw, 'date')
  return {
    authority: readAuthority(raw),
    occasions: readOccasions(raw),
    from,
    count: readCount(raw),
    timeZone: readToday(raw, from !== undefined),
  }
}
