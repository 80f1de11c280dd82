// A recurrence rule (RFC 5545) ↔ the choices of a form. Rules that the form cannot express are kept as they are.
import { isDate } from '../base/civil-date.ts'
import { instantOf, localDateAt } from '../base/local-time.ts'

export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export type WeekdayCode = (typeof weekdayCodes)[number]

export const repeatKinds = [
  'once',
  'daily',
  'weekly',
  'fortnightly',
  'monthly_weekday',
  'monthly_day',
  'yearly',
] as const
export type RepeatKind = (typeof repeatKinds)[number] | 'custom'

export interface Repeat {
  readonly kind: RepeatKind
  /** For weekly rules; empty: the weekday of the first day. */
  readonly days: readonly WeekdayCode[]
  /** For monthly rules by weekday: 1 to 4, or -1 for the last; undefined: as on the first day. */
  readonly week?: number
  /** The last day, and the number of times: at most one of them. */
  readonly until: string
  readonly count: string
  /** The rule itself, of the kind `custom`. */
  readonly rule: string
}

/** The first day, in the event's time zone. */
export interface FirstDay {
  readonly date: string
  readonly timezone: string
}

export const onceOnly: Repeat = { kind: 'once', days: [], until: '', count: '', rule: '' }

export const weekdayOf = (date: string): WeekdayCode =>
  weekdayCodes[(new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7] as WeekdayCode

/** The first, second … of its weekday in the month; from the 29th on the last. */
export const weekOf = (date: string): number => {
  const week = Math.ceil(Number(date.slice(8, 10)) / 7)
  return week > 4 ? -1 : week
}

const partsOf = (rule: string): Map<string, string> =>
  new Map(rule.split(';').map(part => part.split('=') as [string, string]))

const kindOf = (parts: ReadonlyMap<string, string>): RepeatKind | undefined => {
  const rest = [...parts.keys()]
    .filter(name => !['FREQ', 'UNTIL', 'COUNT'].includes(name))
    .sort()
    .join()
  const shape = `${parts.get('FREQ')} ${rest}`
  if (shape === 'DAILY ') return 'daily'
  if (shape === 'WEEKLY ' || shape === 'WEEKLY BYDAY') return 'weekly'
  if (/^WEEKLY (BYDAY,)?INTERVAL$/.test(shape) && parts.get('INTERVAL') === '2') return 'fortnightly'
  if (shape === 'MONTHLY BYDAY') return 'monthly_weekday'
  if (shape === 'MONTHLY ' || shape === 'MONTHLY BYMONTHDAY') return 'monthly_day'
  return shape === 'YEARLY ' ? 'yearly' : undefined
}

const untilOf = (until: string | undefined, timezone: string): string | undefined => {
  if (until === undefined) return ''
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z)?)?$/.exec(until) ?? []
  if (year === undefined) return undefined
  const date = `${year}-${month}-${day}`
  const moment = new Date(`${date}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`)
  if (!isDate(date) || Number.isNaN(moment.getTime())) return undefined
  return utc === undefined ? date : localDateAt(moment, timezone)
}

const weekdaysOf = (list: string): WeekdayCode[] | undefined => {
  const days = list.split(',').filter(day => day !== '')
  return days.every(day => weekdayCodes.some(code => code === day)) ? (days as WeekdayCode[]) : undefined
}

const custom = (rule: string): Repeat => ({ ...onceOnly, kind: 'custom', rule })

export const readRepeat = (rule: string | null, { date, timezone }: FirstDay): Repeat => {
  if (rule === null) return onceOnly
  const parts = partsOf(rule)
  const kind = kindOf(parts)
  const until = untilOf(parts.get('UNTIL'), timezone)
  if (kind === undefined || until === undefined) return custom(rule)
  const found = { kind, days: [], until, count: parts.get('COUNT') ?? '', rule }
  const byDay = parts.get('BYDAY') ?? ''
  if (kind === 'weekly' || kind === 'fortnightly') {
    const days = weekdaysOf(byDay)
    return days === undefined ? custom(rule) : { ...found, days }
  }
  if (kind === 'monthly_weekday') {
    const [, week, day] = /^(-1|[1-4])([A-Z]{2})$/.exec(byDay) ?? []
    return week !== undefined && day === weekdayOf(date) ? { ...found, week: Number(week) } : custom(rule)
  }
  const monthDay = parts.get('BYMONTHDAY')
  return monthDay === undefined || Number(monthDay) === Number(date.slice(8, 10)) ? found : custom(rule)
}

const endOf = ({ until, count }: Repeat, timezone: string): string => {
  if (count !== '') return `;COUNT=${Number(count)}`
  const last = until === '' ? undefined : instantOf(`${until}T23:59:59`, timezone)
  return last === undefined ? '' : `;UNTIL=${last.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`
}

/** In the order of the week. */
const listed = (days: readonly WeekdayCode[], date: string): string =>
  weekdayCodes.filter(code => (days.length === 0 ? code === weekdayOf(date) : days.includes(code))).join()

export const writeRepeat = (repeat: Repeat, { date, timezone }: FirstDay): string | null => {
  const end = endOf(repeat, timezone)
  switch (repeat.kind) {
    case 'once':
      return null
    case 'daily':
      return `FREQ=DAILY${end}`
    case 'weekly':
      return `FREQ=WEEKLY;BYDAY=${listed(repeat.days, date)}${end}`
    case 'fortnightly':
      return `FREQ=WEEKLY;INTERVAL=2;BYDAY=${listed(repeat.days, date)}${end}`
    case 'monthly_weekday':
      return `FREQ=MONTHLY;BYDAY=${repeat.week ?? weekOf(date)}${weekdayOf(date)}${end}`
    case 'monthly_day':
      return `FREQ=MONTHLY;BYMONTHDAY=${Number(date.slice(8, 10))}${end}`
    case 'yearly':
      return `FREQ=YEARLY${end}`
    case 'custom':
      return repeat.rule
  }
}
