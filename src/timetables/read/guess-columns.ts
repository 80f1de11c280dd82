// A sheet → what its columns are, by their headings, or by their content where there are none.
import { dailyPrayers } from '../../prayer/daily-prayers.ts'
import type { Sheet } from '../../sheets/sheet.ts'
import { monthOf, weekdayOf } from '../words/calendar-names.ts'
import {
  adhanWords,
  type DailyPrayer,
  dateWords,
  dayWords,
  imsakWords,
  iqamahWords,
  monthWords,
  ordinalOf,
  otherWords,
  prayerWords,
  turkishWords,
  yearWords,
} from '../words/heading-words.ts'
import { wordsIn } from '../words/plain-words.ts'
import { looksLikeDate } from './read-date.ts'
import { looksLikeTime } from './read-time.ts'
import { type Reading, type Role, roleOf, type TimeRole, timeRoleOf } from './roles.ts'

const MOST_HEADING_ROWS = 25

const has = (words: readonly string[], known: ReadonlySet<string>): boolean => words.some(word => known.has(word))

const prayerOf = (words: readonly string[]): DailyPrayer | undefined => {
  // A "Jumu'ah" beside "Dhuhr" is the more special one.
  const names = ['taraweeh', 'jumuah', 'fajr', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
  return names.find(name => has(words, prayerWords[name]))
}

const kindOf = (words: readonly string[], prayer: DailyPrayer): TimeRole['kind'] => {
  if (prayer === 'jumuah' || prayer === 'taraweeh' || has(words, iqamahWords)) return 'iqamah'
  return has(words, adhanWords) ? 'adhan' : 'time'
}

/** A heading's text → its role. */
const roleOfHeading = (text: string, turkish: boolean): Role => {
  const words = wordsIn(text)
  if (has(words, otherWords)) return 'ignore'
  if (has(words, imsakWords)) return turkish ? 'adhan:fajr:1' : 'ignore'
  const prayer = prayerOf(words)
  if (prayer !== undefined)
    return roleOf({ kind: kindOf(words, prayer), prayer, session: prayer === 'jumuah' ? (ordinalOf(words) ?? 1) : 1 })
  if (has(words, dateWords)) return 'date'
  if (has(words, dayWords)) return 'day'
  if (has(words, monthWords)) return 'month'
  return has(words, yearWords) ? 'year' : 'ignore'
}

const prayersIn = (row: readonly string[]): Set<DailyPrayer> =>
  new Set(row.flatMap(cell => prayerOf(wordsIn(cell)) ?? []))

const hasKinds = (row: readonly string[]): boolean =>
  row.some(cell => has(wordsIn(cell), iqamahWords) || has(wordsIn(cell), adhanWords))

const hasTimes = (row: readonly string[]): boolean => row.filter(looksLikeTime).length >= 2

/** Merged cells: the first of them has the text. */
const filledRight = (row: readonly string[]): string[] => {
  let last = ''
  return row.map(cell => {
    if (cell !== '') last = cell
    return last
  })
}

const namesDate = (cell: string): boolean => has(wordsIn(cell), dateWords) && prayerOf(wordsIn(cell)) === undefined

/** A title may name a prayer or two; beside a heading for the date, one is enough. */
export const isHeading = (row: readonly string[]): boolean =>
  !hasTimes(row) && prayersIn(row).size >= (row.some(namesDate) ? 1 : 3)

/** A second row of headings below ("Begins", "Jama'at"), or a row above that groups them ("Adhan", "Iqamah"). */
const headingsAt = (rows: Sheet['rows'], at: number): { texts: string[]; first: number } => {
  const own = rows[at] ?? []
  const [above = [], below = []] = [rows[at - 1], rows[at + 1]]
  if (!hasTimes(below) && hasKinds(below) && prayersIn(below).size === 0) {
    const top = filledRight(own)
    const width = Math.max(own.length, below.length)
    const texts = Array.from({ length: width }, (_, column) =>
      below[column] ? `${top[column] ?? top.at(-1) ?? ''} ${below[column]}` : (own[column] ?? ''),
    )
    return { texts, first: at + 2 }
  }
  if (hasKinds(above) && prayersIn(above).size === 0 && above.filter(cell => cell !== '').length > 1) {
    const groups = filledRight(above)
    return { texts: own.map((text, column) => `${groups[column] ?? groups.at(-1) ?? ''} ${text}`), first: at + 1 }
  }
  return { texts: [...own], first: at + 1 }
}

/** The second column of a prayer is its iqamah, and further ones of Jumu'ah its sessions. */
const apart = (roles: readonly Role[]): Role[] => {
  const seen = new Map<string, number>()
  return roles.map(role => {
    const time = timeRoleOf(role)
    if (time === undefined) return role
    const count = (seen.get(role) ?? 0) + 1
    seen.set(role, count)
    if (count === 1) return role
    if (time.prayer === 'jumuah') return roleOf({ ...time, session: Math.min(count, 9) })
    return time.kind === 'time' && count === 2 ? roleOf({ ...time, kind: 'iqamah' }) : 'ignore'
  })
}

/** Beside a column that says which of the two it is, a plain one is the other. */
const settled = (roles: readonly Role[], title: string): Role[] => {
  const iqamahTitle = has(wordsIn(title), iqamahWords) && !has(wordsIn(title), adhanWords)
  const anyKind = (kind: TimeRole['kind']): boolean =>
    roles.some(role => timeRoleOf(role)?.kind === kind && timeRoleOf(role)?.prayer !== 'jumuah')
  const [adhan, iqamah] = [anyKind('adhan'), anyKind('iqamah')]
  return roles.map(role => {
    const time = timeRoleOf(role)
    if (time?.kind !== 'time') return role
    if (iqamah && !adhan) return roleOf({ ...time, kind: 'adhan' })
    if (adhan && !iqamah) return roleOf({ ...time, kind: 'iqamah' })
    return iqamahTitle && !adhan && !iqamah ? roleOf({ ...time, kind: 'iqamah' }) : role
  })
}

const cellsOf = ({ rows }: Sheet, first: number, column: number): string[] =>
  rows.slice(first).flatMap(row => row[column] || [])

const most = (cells: readonly string[], fits: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(fits).length > cells.length * 0.6

const isDayNumber = (cell: string): boolean =>
  /^\d{1,2}$/.test(wordsIn(cell).join('')) && Number(wordsIn(cell)[0]) <= 31

/** "Day" is a number or a name, and a date may have another heading or none. */
const byContent = (sheet: Sheet, first: number, roles: readonly Role[]): Role[] => {
  const refined = roles.map((role, column) => {
    const cells = cellsOf(sheet, first, column)
    if (
      (role === 'day' || role === 'ignore') &&
      most(cells, cell => weekdayOf(wordsIn(cell)) !== undefined && !/\d/.test(cell))
    )
      return 'weekday'
    if (role === 'date' && most(cells, isDayNumber)) return 'day'
    if (role === 'day' && !most(cells, isDayNumber) && most(cells, cell => looksLikeDate(cell, sheet.since1904)))
      return 'date'
    return role
  })
  if (refined.includes('date') || refined.includes('day')) return refined
  const dated = refined.findIndex(
    (role, column) =>
      role === 'ignore' && most(cellsOf(sheet, first, column), cell => looksLikeDate(cell, sheet.since1904)),
  )
  return refined.map((role, column) => (column === dated ? 'date' : role))
}

/** Without headings: five times a day, six with sunrise, or ten with each adhan before its iqamah. */
const withoutHeadings = (sheet: Sheet): Reading => {
  const width = Math.max(...sheet.rows.map(row => row.length))
  const first = sheet.rows.findIndex(hasTimes)
  if (first === -1) return { first: 0, columns: Array.from({ length: width }, () => 'ignore') }
  const timed = Array.from({ length: width }, (_, column) => column).filter(column =>
    most(cellsOf(sheet, first, column), looksLikeTime),
  )
  const plans: Readonly<Record<number, readonly Role[]>> = {
    5: dailyPrayers.map(prayer => `time:${prayer}:1` as const),
    6: ['time:fajr:1', 'ignore', 'time:dhuhr:1', 'time:asr:1', 'time:maghrib:1', 'time:isha:1'],
    10: dailyPrayers.flatMap(prayer => [`adhan:${prayer}:1`, `iqamah:${prayer}:1`] as const),
  }
  const plan = plans[timed.length] ?? []
  const columns = Array.from({ length: width }, (_, column): Role => plan[timed.indexOf(column)] ?? 'ignore')
  return { first, columns: byContent(sheet, first, columns) }
}

export const guessColumns = (sheet: Sheet): Reading => {
  const at = sheet.rows.slice(0, MOST_HEADING_ROWS).findIndex(isHeading)
  if (at === -1) return withoutHeadings(sheet)
  const { texts, first } = headingsAt(sheet.rows, at)
  const turkish = texts.some(text => has(wordsIn(text), turkishWords))
  const width = Math.max(texts.length, ...sheet.rows.slice(first).map(row => row.length))
  const roles = Array.from({ length: width }, (_, column) => roleOfHeading(texts[column] ?? '', turkish))
  const title = sheet.rows.slice(0, at).flat().join(' ')
  return { first, columns: byContent(sheet, first, settled(apart(roles), title)) }
}

/** A row without times that names a month: the rows below belong to it. */
export const monthTitle = (
  row: readonly string[],
): { month: number | undefined; year: number | undefined } | undefined => {
  const words = row.flatMap(cell => wordsIn(cell))
  const month = monthOf(words)
  const year = words.map(Number).find(number => number >= 2000 && number <= 2100)
  return month === undefined && year === undefined ? undefined : { month, year }
}
