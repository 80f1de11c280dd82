// What the form of a change holds, as typed → a checked change, or what is wrong with each field.

import { addDays } from '../../../base/civil-date.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { type Prayer, prayers } from '../../hall/prayer-time.ts'
import type { Texts } from '../../texts/texts.ts'
import { fridayFrom } from './days.ts'

export const hows = ['fixed', 'offset', 'rounded_offset', 'none'] as const
export const lastings = ['on', 'day', 'until'] as const
type How = (typeof hows)[number]

const names = [
  'prayer',
  'session',
  'first_on',
  'lasts',
  'last_on',
  'how',
  'fixed_time',
  'offset_minutes',
  'round_to',
  'not_before',
  'not_after',
  'khutbah_minutes',
  'imam',
  'language',
  'label',
  'replaces_all',
] as const

export type ChangeField = (typeof names)[number]
/** As typed. */
export type ChangeValues = Readonly<Record<ChangeField, string>>
export type ChangeFaults = Readonly<Partial<Record<ChangeField, string>>>

/** The arguments of change_iqamah, without the masjid. */
export interface Change {
  readonly prayer: Prayer
  readonly session: number
  readonly first_on: string
  readonly last_on: string | null
  readonly rule: Exclude<How, 'none'> | null
  readonly fixed_time: string | null
  readonly offset_minutes: number | null
  readonly round_to: number | null
  readonly not_before: string | null
  readonly not_after: string | null
  readonly khutbah_minutes: number | null
  readonly imam: string | null
  readonly language: string | null
  readonly label: string | null
  readonly replaces_all: boolean
}

export const readChange = (form: FormValues): ChangeValues =>
  Object.fromEntries(names.map(name => [name, form.text(name)])) as ChangeValues

export const isPrayer = (text: string): text is Prayer => (prayers as readonly string[]).includes(text)

/** A day that the calendar has, in our time. */
export const isDate = (text: string): boolean =>
  /^(19|20|21)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text)

export const isClock = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(text)

const isWithin = (text: string, most: number): boolean => /^\d{1,3}$/.test(text) && Number(text) <= most

const MOST_DAYS = 400
const LONGEST = 200
export const roundSteps = [5, 10, 15, 20, 30] as const

type Check = (values: ChangeValues, today: string, words: Texts['week']['faults']) => string | undefined

const checks: Readonly<Partial<Record<ChangeField, Check>>> = {
  first_on: ({ prayer, lasts, first_on }, today, words) => {
    if (!isDate(first_on)) return words.date
    if (first_on < today) return words.past
    if (prayer === 'jumuah' && lasts === 'day' && fridayFrom(first_on) !== first_on) return words.friday
    return first_on > addDays(today, MOST_DAYS) ? words.far : undefined
  },
  lasts: ({ lasts }, _, words) =>
    lasts === '' || (lastings as readonly string[]).includes(lasts) ? undefined : words.lasts,
  last_on: ({ lasts, first_on, last_on }, _, words) => {
    if (lasts !== 'until') return undefined
    if (!isDate(last_on)) return words.date
    if (isDate(first_on) && last_on < first_on) return words.order
    return isDate(first_on) && last_on > addDays(first_on, MOST_DAYS) ? words.far : undefined
  },
  how: ({ how }, _, words) => ((hows as readonly string[]).includes(how) ? undefined : words.how),
  fixed_time: ({ how, fixed_time }, _, words) => (how === 'fixed' && !isClock(fixed_time) ? words.time : undefined),
  offset_minutes: ({ how, offset_minutes }, _, words) =>
    (how === 'offset' || how === 'rounded_offset') && !isWithin(offset_minutes, 240) ? words.minutes : undefined,
  round_to: ({ how, round_to }, _, words) =>
    how === 'rounded_offset' && !(isWithin(round_to, 60) && Number(round_to) >= 2) ? words.round : undefined,
  not_before: ({ not_before }, _, words) => (not_before !== '' && !isClock(not_before) ? words.time : undefined),
  not_after: ({ not_before, not_after }, _, words) => {
    if (not_after === '') return undefined
    if (!isClock(not_after)) return words.time
    return isClock(not_before) && not_before > not_after ? words.limits : undefined
  },
  khutbah_minutes: ({ khutbah_minutes }, _, words) =>
    khutbah_minutes !== '' && !isWithin(khutbah_minutes, 120) ? words.khutbah : undefined,
  imam: ({ imam }, _, words) => (imam.length > LONGEST ? words.long : undefined),
  label: ({ label }, _, words) => (label.length > LONGEST ? words.long : undefined),
}

export const checkChange = (values: ChangeValues, today: string, words: Texts['week']['faults']): ChangeFaults =>
  Object.fromEntries(
    Object.entries(checks).flatMap(([name, check]) => {
      const fault = check(values, today, words)
      return fault === undefined ? [] : [[name, fault]]
    }),
  )

const orNull = (text: string): string | null => (text === '' ? null : text)
const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))

const lastDay = ({ lasts, first_on, last_on }: ChangeValues): string | null => {
  if (lasts === 'day') return first_on
  return lasts === 'until' ? last_on : null
}

/** Values without faults, and of a known prayer → the change. What the rule does not use is left out. */
export const changeOf = (values: ChangeValues, prayer: Prayer): Change => {
  const { how } = values
  const byAdhan = how === 'offset' || how === 'rounded_offset'
  const held = how !== 'none'
  return {
    prayer,
    session: Math.min(9, Math.max(1, Number(values.session) || 1)),
    first_on: values.first_on,
    last_on: lastDay(values),
    rule: held ? (how as Exclude<How, 'none'>) : null,
    fixed_time: how === 'fixed' ? values.fixed_time : null,
    offset_minutes: byAdhan ? Number(values.offset_minutes) : null,
    round_to: how === 'rounded_offset' ? Number(values.round_to) : null,
    not_before: byAdhan ? orNull(values.not_before) : null,
    not_after: byAdhan ? orNull(values.not_after) : null,
    khutbah_minutes: held && prayer === 'jumuah' ? numberOrNull(values.khutbah_minutes) : null,
    imam: held ? orNull(values.imam) : null,
    language: held ? orNull(values.language) : null,
    label: held ? orNull(values.label) : null,
    replaces_all: values.replaces_all === 'yes',
  }
}
