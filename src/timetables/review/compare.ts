// The times of a sheet beside what stands and what is calculated → what is new, changed or the same, and what to look at twice.
import { dateOf, dayNumberOf } from '../../base/civil-date.ts'
import type { TimetableEntry } from '../read/read-timetable.ts'
import type { DailyPrayer } from '../words/heading-words.ts'

type Doubt = 'before_adhan' | 'after_end' | 'jump' | 'far_from_calculated' | 'clocks_change' | 'no_such_time'

type Change = 'new' | 'changed' | 'same'

/** Clock times of the masjid on a day, as calculated; null where the sun gives none. */
export interface CalculatedDay {
  readonly date: string
  readonly fajr: string | null
  readonly sunrise: string | null
  readonly dhuhr: string | null
  readonly asr: string | null
  readonly maghrib: string | null
  readonly isha: string | null
}

/** What people pray by now. */
export interface StandingTime {
  readonly date: string
  readonly prayer: string
  readonly session: number
  readonly adhan: string | null
  readonly iqamah: string | null
}

export interface Known {
  readonly calculated: ReadonlyMap<string, CalculatedDay>
  readonly standing: ReadonlyMap<string, StandingTime>
  /** Minutes by which clocks are put forward on a day, and the local times that this skips. */
  readonly shifts: ReadonlyMap<string, number>
  readonly exists: (date: string, clock: string) => boolean
}

export interface ComparedEntry extends TimetableEntry {
  readonly change: Change
  readonly doubts: readonly Doubt[]
}

export interface Compared {
  readonly entries: readonly ComparedEntry[]
  /** Days between the first and the last that a prayer has no time for. */
  readonly missing: readonly { readonly date: string; readonly prayer: DailyPrayer }[]
}

const JUMP_MINUTES = 20

export const keyOf = ({ date, prayer, session }: { date: string; prayer: string; session: number }): string =>
  `${date} ${prayer} ${session}`

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Minutes since the midnight before the day; an Isha after midnight is late, not early. */
export const onDay = (clock: string, prayer: DailyPrayer): number => {
  const minutes = minutesOf(clock)
  return (prayer === 'isha' || prayer === 'taraweeh') && minutes < 720 ? minutes + 1440 : minutes
}

const adhanNames: Readonly<Record<DailyPrayer, 'fajr' | 'dhuhr' | 'asr' | 'maghrib' | 'isha'>> = {
  fajr: 'fajr',
  dhuhr: 'dhuhr',
  jumuah: 'dhuhr',
  asr: 'asr',
  maghrib: 'maghrib',
  isha: 'isha',
  taraweeh: 'isha',
}
const endNames: Readonly<Partial<Record<DailyPrayer, 'sunrise' | 'asr' | 'maghrib' | 'isha'>>> = {
  fajr: 'sunrise',
  dhuhr: 'asr',
  jumuah: 'asr',
  asr: 'maghrib',
  maghrib: 'isha',
}

export const calculatedAdhan = (day: CalculatedDay | undefined, prayer: DailyPrayer): string | undefined =>
  day?.[adhanNames[prayer]] ?? undefined

const changeOf = (entry: TimetableEntry, standing: StandingTime | undefined): Change => {
  const differs = (given: string | undefined, now: string | null | undefined): boolean =>
    given !== undefined && given !== now
  if (standing === undefined || (entry.iqamah !== undefined && standing.iqamah === null)) return 'new'
  return differs(entry.adhan, standing.adhan) || differs(entry.iqamah, standing.iqamah) ? 'changed' : 'same'
}

const doubtsOf = (entry: TimetableEntry, before: TimetableEntry | undefined, known: Known): Doubt[] => {
  const { date, prayer, adhan, iqamah } = entry
  const day = known.calculated.get(date)
  const calculated = calculatedAdhan(day, prayer)
  const end = endNames[prayer] === undefined ? undefined : day?.[endNames[prayer]]
  const shift = known.shifts.get(date) ?? 0
  const found: Doubt[] = []
  const at = (clock: string): number => onDay(clock, prayer)
  const begins = adhan ?? calculated
  if (iqamah !== undefined && begins !== undefined && at(iqamah) < at(begins)) found.push('before_adhan')
  if (iqamah !== undefined && end && at(iqamah) >= at(end)) found.push('after_end')
  const far = adhan !== undefined && calculated !== undefined && Math.abs(at(adhan) - at(calculated)) > JUMP_MINUTES
  if (far) found.push('far_from_calculated')
  const jumps = (now: string | undefined, then: string | undefined): boolean =>
    now !== undefined &&
    then !== undefined &&
    Math.min(Math.abs(at(now) - at(then)), Math.abs(at(now) - at(then) - shift)) > JUMP_MINUTES
  if (before !== undefined && (jumps(iqamah, before.iqamah) || jumps(adhan, before.adhan))) found.push('jump')
  if ([adhan, iqamah].some(clock => clock !== undefined && !known.exists(date, clock))) found.push('no_such_time')
  return shift === 0 ? found : [...found, 'clocks_change']
}

const missingOf = (entries: readonly TimetableEntry[]): Compared['missing'][number][] => {
  const daily = entries.filter(({ prayer, session }) => session === 1 && prayer !== 'jumuah' && prayer !== 'taraweeh')
  const dates = entries.map(({ date }) => dayNumberOf(date))
  const [first, last] = [Math.min(...dates), Math.max(...dates)]
  return [...Map.groupBy(daily, ({ prayer }) => prayer)].flatMap(([prayer, ofPrayer]) => {
    const there = new Set(ofPrayer.map(({ date }) => date))
    return Array.from({ length: last - first + 1 }, (_, index) => dateOf(first + index))
      .filter(date => !there.has(date))
      .map(date => ({ date, prayer }))
  })
}

export const compare = (entries: readonly TimetableEntry[], known: Known): Compared => {
  const byKey = new Map(entries.map(entry => [keyOf(entry), entry]))
  const compared = entries.map(entry => {
    const step = entry.prayer === 'jumuah' ? 7 : 1
    const before = byKey.get(keyOf({ ...entry, date: dateOf(dayNumberOf(entry.date) - step) }))
    return {
      ...entry,
      change: changeOf(entry, known.standing.get(keyOf(entry))),
      doubts: doubtsOf(entry, before, known),
    }
  })
  return { entries: compared, missing: entries.length === 0 ? [] : missingOf(entries) }
}
