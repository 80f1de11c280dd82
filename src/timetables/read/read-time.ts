// The text of a cell → a clock time, minutes after the adhan, nothing, or something that cannot be read.
import { excelClock } from '../../sheets/excel-numbers.ts'
import type { DailyPrayer } from '../words/heading-words.ts'
import { plainText } from '../words/plain-words.ts'

export type ReadTime =
  | { readonly kind: 'clock'; readonly hour: number; readonly minute: number; readonly half: 'am' | 'pm' | undefined }
  | { readonly kind: 'offset'; readonly minutes: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'unreadable' }

const blanks = /^(|[-–—.*x]+|n ?\/? ?a|none|nil|yok|لا|#n\/a)$/
const UNREADABLE = { kind: 'unreadable' } as const

/** Marks of the half of the day, after plainText: English, Arabic, Turkish, Urdu, Indonesian. */
const halves: readonly (readonly ['am' | 'pm', RegExp])[] = [
  ['am', /\b(a ?\.? ?m\.?|oo)$|(^|\s)(ص|صباحا|صبح|pagi|subuh)$/],
  ['pm', /\b(p ?\.? ?m\.?|os)$|(^|\s)(م|مساء|مسا|ظهرا|عصرا|شام|رات|siang|sore|malam)$/],
]

const clock = (hours: string, minutes: string, half: 'am' | 'pm' | undefined): ReadTime => {
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (hour > 23 || minute > 59 || (half !== undefined && (hour > 12 || hour === 0) && !(half === 'pm' && hour > 12)))
    return UNREADABLE
  return { kind: 'clock', hour, minute, half: hour > 12 ? undefined : half }
}

const offset = (text: string): ReadTime | undefined => {
  const found =
    /^\+ ?(\d{1,3})(?: ?(?:min|mins|minutes?|dk|menit|دقيقه|دقايق|منت))?\.?$|^(\d{1,3}) ?(?:min|mins|minutes?|dk|menit|دقيقه|دقايق|منت)\.?(?: after.*)?$/.exec(
      text,
    )
  return found === null ? undefined : { kind: 'offset', minutes: Number(found[1] ?? found[2]) }
}

/** Excel's fraction of a day. */
const fraction = (text: string): ReadTime | undefined => {
  if (!/^0?[.,]\d+$/.test(text)) return undefined
  const [hour = '', minute = ''] = excelClock(Number(text.replace(',', '.'))).split(':')
  return clock(hour, minute, undefined)
}

export const readTime = (cell: string): ReadTime => {
  const text = plainText(cell).replace(/\s+/g, ' ').trim()
  if (blanks.test(text)) return { kind: 'blank' }
  const special = offset(text) ?? fraction(text)
  if (special !== undefined) return special
  const half = halves.find(([, pattern]) => pattern.test(text))
  const bare = (half === undefined ? text : text.replace(half[1], '')).trim()
  const long = /^(?:\d{4}-\d\d-\d\d )?(\d{1,2}) ?[:.h] ?(\d{2})(?::\d{2})?$/.exec(bare) ?? /^(\d{2})(\d{2})$/.exec(bare)
  return long === null ? UNREADABLE : clock(long[1] ?? '', long[2] ?? '', half?.[0])
}

export const looksLikeTime = (cell: string): boolean => readTime(cell).kind === 'clock'

/**
 * Hours of a clock with twelve of them that are before noon, by prayer; all others are after it. Twelve itself is
 * noon, or midnight for the night.
 */
const mornings: Readonly<Record<DailyPrayer, (hour: number) => boolean>> = {
  fajr: () => true,
  dhuhr: hour => hour >= 10 && hour < 12,
  jumuah: hour => hour >= 10 && hour < 12,
  asr: () => false,
  maghrib: () => false,
  isha: hour => hour < 4 || hour === 12,
  taraweeh: hour => hour < 4 || hour === 12,
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** `05:30`. On a clock of twelve hours without am and pm the prayer says which half of the day is meant. */
export const clockText = (
  { hour, minute, half }: Extract<ReadTime, { kind: 'clock' }>,
  prayer: DailyPrayer,
  twelveHours: boolean,
): string => {
  if (half === undefined && (!twelveHours || hour > 12 || hour === 0)) return `${pad(hour)}:${pad(minute)}`
  const morning = half === undefined ? mornings[prayer](hour) : half === 'am'
  return `${pad((hour % 12) + (morning ? 0 : 12))}:${pad(minute)}`
}
