// A place, a day, a method, a school and a rule → the times that docs/prayer-times.md promises, and whether a hair's breadth decides.
import type { MethodName } from '../../../src/prayer/calculation/methods.ts'
import { type Definition, definitions } from './method-definitions.ts'
import { type Moment, type OraclePlace, type SunDay, sunDay } from './sun-of-place.ts'
import {
  type Asked,
  ishaByMinutes,
  type Rule,
  type Sky,
  type Standing,
  standing,
  twilightOf,
} from './twilight-rules.ts'

/** Whole minutes since 1970. */
type Minute = number | null

export const skyOf = (place: OraclePlace): Sky => {
  const known = new Map<string, SunDay>()
  return {
    place,
    sunAt: (latitude, day) => {
      const key = `${latitude} ${day}`
      const sun = known.get(key) ?? sunDay({ ...place, latitude }, day)
      known.set(key, sun)
      return sun
    },
  }
}

const prayers = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
type Prayer = (typeof prayers)[number]
type Six = Readonly<Record<Prayer, Minute>>

export interface Question {
  readonly sky: Sky
  readonly day: number
  readonly method: MethodName
  readonly hanafi: boolean
  readonly rule: Rule
}

const ummAlQura = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', { timeZone: 'UTC', month: 'numeric' })

const isEveOfRamadan = (day: number): boolean => ummAlQura.format((day + 1) * 86_400_000) === '9'

const CLOSE_DEGREES = 0.03
/** Half a minute, of a day. */
const CLOSE_DAYS = 1 / 2880

/** Notes whenever a hair's breadth decided something. */
interface Watch {
  isClose: boolean
}

const note = (watch: Watch, isClose: boolean): void => {
  watch.isClose ||= isClose
}

const watched = ({ place, sunAt }: Sky, watch: Watch): Sky => ({
  place,
  sunAt: (latitude, day) => {
    const sun = sunAt(latitude, day)
    note(watch, sun.margins.horizon < CLOSE_DEGREES)
    return {
      ...sun,
      at: (altitude, side) => {
        note(watch, sun.margin(altitude, side) < CLOSE_DEGREES)
        return sun.at(altitude, side)
      },
      shadow: heights => {
        note(watch, sun.margins.shadow(heights) < CLOSE_DEGREES)
        return sun.shadow(heights)
      },
    }
  },
})

const askedOf = ({ sky, method, rule }: Question, watch: Watch): Asked => ({
  sky: watched(sky, watch),
  rule,
  definition: definitions[method],
  isCommittee: method === 'MoonsightingCommittee',
  isMore: (one, other) => {
    note(watch, Math.abs(one - other) < CLOSE_DAYS)
    return one > other
  },
})

const ishaOf = (asked: Asked, day: number, sun: Standing): Moment => {
  const { isha } = asked.definition
  if (typeof isha === 'number') return twilightOf(asked, day, { sun, angle: isha, side: 'after' })
  return ishaByMinutes(asked, day, sun, isha.minutes)
}

/** Where the redness has left the sky, unless that would come after Isha. */
const maghribOf = ({ maghrib }: Definition, sun: Standing, isha: Moment): Moment => {
  const dark = maghrib === undefined ? undefined : sun.at(-maghrib, 'after')
  const isTime = dark !== undefined && sun.sunset !== undefined && dark > sun.sunset && !(dark >= (isha ?? Infinity))
  return isTime ? dark : sun.sunset
}

const momentsOf = (asked: Asked, { day, hanafi }: Question, sun: Standing): Readonly<Record<Prayer, Moment>> => {
  const isha = ishaOf(asked, day, sun)
  return {
    fajr: twilightOf(asked, day, { sun, angle: asked.definition.fajr, side: 'before' }),
    sunrise: sun.sunrise,
    dhuhr: sun.noon,
    asr: sun.shadow(hanafi ? 2 : 1),
    maghrib: maghribOf(asked.definition, sun, isha),
    isha,
  }
}

const addedIn = ({ added, isha }: Definition, day: number, index: number): number => {
  const more = index === 5 && typeof isha !== 'number' && isha.inRamadan !== undefined && isEveOfRamadan(day)
  return (added?.[index] ?? 0) + (more ? 30 : 0)
}

const minutesOf = (moments: Readonly<Record<Prayer, Moment>>, definition: Definition, day: number): Six => {
  const round = definition.roundsUp === true ? Math.ceil : Math.round
  const of = (prayer: Prayer, index: number): Minute => {
    const moment = moments[prayer]
    return moment === undefined ? null : round(moment * 1440) + addedIn(definition, day, index)
  }
  return Object.fromEntries(prayers.map((prayer, index) => [prayer, of(prayer, index)])) as Six
}

const least = (minute: Minute, earlier: Minute): Minute =>
  minute === null || earlier === null ? minute : Math.max(minute, earlier + 5)
const most = (minute: Minute, later: Minute): Minute =>
  minute === null || later === null ? minute : Math.min(minute, later - 5)
/** Whether a minute more or less may decide. */
const isNear = (one: Minute, other: Minute, apart: number): boolean =>
  one !== null && other !== null && Math.abs(other - one - apart) <= 2

interface Ordered {
  readonly six: Six
  readonly isClose: boolean
}

/** Five minutes between any two; sunrise and Maghrib stand; an Asr without room is none, and so is a day of ten minutes. */
const inOrder = (given: Six): Ordered => {
  const isDay = given.sunrise === null || given.maghrib === null || given.maghrib - given.sunrise >= 10
  const { sunrise, maghrib } = isDay ? given : { sunrise: null, maghrib: null }
  const dhuhr = most(least(given.dhuhr, sunrise), maghrib)
  const later = least(given.asr, dhuhr)
  const asr = later !== null && maghrib !== null && later > maghrib - 5 ? null : later
  const isClose = isNear(given.sunrise, given.maghrib, 10) || isNear(later, maghrib, 5)
  return {
    six: {
      fajr: most(given.fajr, sunrise ?? dhuhr),
      sunrise,
      dhuhr,
      asr,
      maghrib,
      isha: least(given.isha, maghrib ?? asr ?? dhuhr),
    },
    isClose,
  }
}

const orderedOn = (question: Question, watch: Watch): Ordered & { readonly sun: Standing } => {
  const asked = askedOf(question, watch)
  const sun = standing(asked, question.day)
  return { ...inOrder(minutesOf(momentsOf(asked, question, sun), asked.definition, question.day)), sun }
}

const later = (minute: Minute, by: number): Minute => (minute === null ? null : minute + by)

const between = (first: Minute, last: Minute, part: number): Minute =>
  first === null || last === null ? null : Math.round(first + (last - first) * part)

const rounded = (moment: Moment): Minute => (moment === undefined ? null : Math.round(moment * 1440))

interface Expected {
  readonly times: Readonly<Record<string, Minute>>
  /** A minute or a hundredth of a degree decides whether there is some time, or by which rule. */
  readonly isClose: boolean
}

export const expectedTimes = (question: Question): Expected => {
  const watch: Watch = { isClose: false }
  const today = orderedOn(question, watch)
  const tomorrow = orderedOn({ ...question, day: question.day + 1 }, watch)
  const { fajr, sunrise, dhuhr, asr, maghrib } = today.six
  const nextFajr = tomorrow.six.fajr
  const meets = today.six.isha !== null && nextFajr !== null && today.six.isha >= nextFajr
  // Only the middle of the night puts both there: by name, or up to 48 degrees where nothing else is asked for.
  const { rule, sky } = question
  const mayMeet = rule === 'middle_of_the_night' || (rule === null && Math.abs(sky.place.latitude) <= 48)
  const sunset = maghrib === null ? null : rounded(today.sun.sunset)
  const duha = later(sunrise, 15)
  const duhaEnds = later(dhuhr, -10)
  const hasDuha = duha !== null && duhaEnds !== null && duha < duhaEnds
  const evening = later(sunset, -15)
  return {
    times: {
      imsak: later(fajr, -10),
      fajr,
      sunrise,
      duha: hasDuha ? duha : null,
      duha_ends: hasDuha ? duhaEnds : null,
      dhuhr,
      asr,
      evening_forbidden: evening === null ? null : Math.max(evening, asr ?? dhuhr ?? evening),
      sunset,
      maghrib,
      isha: meets && !mayMeet ? null : today.six.isha,
      first_third_ends: between(maghrib, nextFajr, 1 / 3),
      midnight: between(maghrib, nextFajr, 1 / 2),
      midnight_to_sunrise: between(sunset, rounded(today.sun.nextSunrise), 1 / 2),
      last_third: between(maghrib, nextFajr, 2 / 3),
    },
    isClose:
      watch.isClose ||
      today.isClose ||
      tomorrow.isClose ||
      isNear(duha, duhaEnds, 0) ||
      (!mayMeet && isNear(today.six.isha, nextFajr, 0)),
  }
}
