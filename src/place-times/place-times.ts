// A checked question → its zone and method settled, and the times of its days.
import { LRUCache } from 'lru-cache'
import { type DayNumber, dayNumberAt } from '../base/civil-date.ts'
import type { Clock } from '../base/clock.ts'
import { zoneOffsetOf } from '../base/zone-offset.ts'
import type { Almanac } from '../prayer/calculation/calculate-days.ts'
import { type HijriCalendar, type HijriDate, ummAlQura } from '../prayer/calculation/hijri.ts'
import { createSky } from '../prayer/calculation/sky.ts'
import { calculatePlace, type PlaceDay, type SettledPlace } from './calculate-place.ts'
import { createCountryOf, methodOf } from './country.ts'
import type { DayRange, PlaceQuestion } from './question.ts'
import type { ZoneFinder } from './zones/zone-finder.ts'

/** All that the times follow from. */
export interface SettledQuestion {
  readonly place: SettledPlace
  /** By which the method was chosen, where none was asked for. */
  readonly country: string | undefined
  readonly range: DayRange
  /** Of a masjid, not of a place: how its times are calculated is its own decision. */
  readonly masjidId?: string
}

export interface PlaceTimes {
  /** @param sender who takes turns with others, where the zone is looked for */
  settle(sender: string, question: PlaceQuestion): Promise<SettledQuestion>
  calculate(settled: SettledQuestion): PlaceDay[]
  readonly clock: Clock
  todayIn(zone: string): DayRange
}

/** Positions of the sun: eleven years of them, some three megabytes. */
const MOST_DAYS_OF_SUN = 4000

/** Most ask about these days, and asking ICU takes as long as the sun of a day. */
const keepLately = (calendar: HijriCalendar): HijriCalendar => {
  const kept = new LRUCache<DayNumber, HijriDate>({ max: MOST_DAYS_OF_SUN })
  return day => {
    const date = kept.get(day) ?? calendar(day)
    kept.set(day, date)
    return date
  }
}

const createTodayIn =
  (clock: Clock) =>
  (zone: string): DayRange => {
    const now = clock.now().getTime()
    const today = dayNumberAt(new Date(now + (zoneOffsetOf(zone)?.(now) ?? 0)))
    return { from: today, to: today }
  }

export const createPlaceTimes = ({ zones, clock }: { zones: Pick<ZoneFinder, 'find'>; clock: Clock }): PlaceTimes => {
  const almanac: Almanac = { sky: createSky(MOST_DAYS_OF_SUN), ummAlQura: keepLately(ummAlQura) }
  const countryOf = createCountryOf()
  const todayIn = createTodayIn(clock)
  return {
    clock,
    todayIn,
    settle: async (sender, { timeZone: asked, method, range, ...question }) => {
      const timeZone = asked ?? (await zones.find(sender, question))
      const country = method === undefined ? countryOf(timeZone) : undefined
      const place = { ...question, timeZone, method: method ?? methodOf(country) }
      return { place, country, range: range ?? todayIn(timeZone) }
    },
    calculate: ({ place, range }) => calculatePlace(place, range, almanac),
  }
}
