// The form of an event as typed → values of the API, or which fields are wrong.

import { isDate } from '../../../base/civil-date.ts'
import { instantOf, localDateAt } from '../../../base/local-time.ts'
import { audiences, categories } from '../../../events/event-words.ts'
import {
  onceOnly,
  type Repeat,
  type RepeatKind,
  readRepeat,
  repeatKinds,
  weekdayCodes,
  writeRepeat,
} from '../../../events/repeat-rule.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { notOffered } from '../not-offered.ts'
import { anchors, type MasjidEvent, modes, statuses } from './event.ts'

const textFields = [
  'title',
  'description',
  'category',
  'audience',
  'mode',
  'location',
  'online_url',
  'date',
  'time',
  'duration',
  'anchor',
  'offset',
  'status',
  'capacity',
  'repeat',
  'until',
  'count',
  'version',
] as const

export type EventForm = Readonly<Record<(typeof textFields)[number], string>> & { readonly days: readonly string[] }

export const readForm = (form: FormValues): EventForm => ({
  ...(Object.fromEntries(textFields.map(name => [name, form.text(name)])) as Record<
    (typeof textFields)[number],
    string
  >),
  days: form.list('days'),
})

export const emptyForm = (timezone: string, now: Date): EventForm => ({
  title: '',
  description: '',
  category: 'lecture',
  audience: 'everyone',
  mode: 'in_person',
  location: '',
  online_url: '',
  date: localDateAt(now, timezone),
  time: '19:00',
  duration: '60',
  anchor: '',
  offset: '15',
  status: 'scheduled',
  capacity: '',
  repeat: 'once',
  until: '',
  count: '',
  version: '',
  days: [],
})

export const formOf = (event: MasjidEvent): EventForm => {
  const date = event.starts_local.slice(0, 10)
  const repeat = readRepeat(event.rrule, { date, timezone: event.timezone })
  return {
    title: event.title,
    description: event.description,
    category: event.category,
    audience: event.audience,
    mode: event.mode,
    location: event.location ?? '',
    online_url: event.online_url ?? '',
    date,
    time: event.starts_local.slice(11, 16),
    duration: String(event.duration_minutes),
    anchor: event.anchor_prayer ?? '',
    offset: String(event.anchor_offset ?? 15),
    status: event.status,
    capacity: event.capacity === null ? '' : String(event.capacity),
    repeat: repeat.kind,
    until: repeat.until,
    count: repeat.count,
    days: repeat.days,
    version: String(event.version),
  }
}

type EventFault =
  | 'titleMissing'
  | 'titleTooLong'
  | 'textTooLong'
  | 'addressNeeded'
  | 'dateMissing'
  | 'timeMissing'
  | 'durationWrong'
  | 'offsetWrong'
  | 'capacityWrong'
  | 'untilWrong'
  | 'countWrong'
  | 'oneEnd'
  | 'notOffered'
export type EventFaults = Readonly<Record<string, EventFault>>

type Values = Omit<MasjidEvent, 'id' | 'version' | 'has_rule_without_dates'>
export type Checked = { readonly values: Values } | { readonly faults: EventFaults }

const wholeIn = (text: string, from: number, to: number): boolean =>
  /^-?\d{1,6}$/.test(text) && Number(text) >= from && Number(text) <= to

const isClock = (text: string): boolean => instantOf(`2026-01-01T${text}`, 'UTC') !== undefined

const checkTime = ({ date, time, anchor, offset, duration }: EventForm): EventFaults => ({
  ...(isDate(date) ? {} : { date: 'dateMissing' }),
  ...(anchor !== '' || isClock(time) ? {} : { time: 'timeMissing' }),
  ...(anchor === '' || wholeIn(offset, -240, 240) ? {} : { offset: 'offsetWrong' }),
  ...(wholeIn(duration, 1, 20160) ? {} : { duration: 'durationWrong' }),
})

const checkRepeat = ({ repeat, until, count, date }: EventForm): EventFaults => {
  if (repeat === 'once' || repeat === 'custom') return {}
  if (until !== '' && count !== '') return { count: 'oneEnd' }
  return {
    ...(until === '' || (isDate(until) && until >= date) ? {} : { until: 'untilWrong' }),
    ...(count === '' || wholeIn(count, 1, 1000) ? {} : { count: 'countWrong' }),
  }
}

const checkWords = ({ title, description, location, online_url, mode, capacity }: EventForm): EventFaults => ({
  ...(title === '' ? { title: 'titleMissing' } : title.length > 200 ? { title: 'titleTooLong' } : {}),
  ...(description.length > 20_000 ? { description: 'textTooLong' } : {}),
  ...(location.length > 500 ? { location: 'textTooLong' } : {}),
  ...(((mode === 'online' || mode === 'hybrid') && online_url === '') ||
  (online_url !== '' && !/^https:\/\/\S+$/.test(online_url))
    ? { online_url: 'addressNeeded' }
    : {}),
  ...(capacity === '' || wholeIn(capacity, 1, 1_000_000) ? {} : { capacity: 'capacityWrong' }),
})

/** A form without one of them leaves it to us. */
const checkChoices = (form: EventForm, stored: MasjidEvent | undefined): EventFaults =>
  notOffered(
    form,
    {
      category: ['', ...categories],
      audience: ['', ...audiences],
      mode: ['', ...modes],
      status: ['', ...statuses],
      anchor: ['', ...anchors],
      repeat: ['', ...repeatKinds, ...(stored?.rrule ? ['custom'] : [])],
    },
    { ...stored, anchor: stored?.anchor_prayer },
  )

/** Checked before. */
const choose = <Choice extends string>(typed: string, otherwise: Choice): Choice => (typed || otherwise) as Choice

/** A rule of its own is the stored one: it is never taken from the form. */
const repeatOf = (form: EventForm, stored: MasjidEvent | undefined): Repeat => {
  if (form.repeat === 'custom' && stored?.rrule) return { ...onceOnly, kind: 'custom', rule: stored.rrule }
  const kind = choose<RepeatKind>(form.repeat, 'once')
  return {
    kind,
    days: weekdayCodes.filter(code => form.days.includes(code)),
    until: form.until,
    count: form.count,
    rule: '',
  }
}

/** The fixed day of a monthly rule stays when nothing else changed. */
const ruleOf = (form: EventForm, stored: MasjidEvent | undefined, timezone: string): string | null => {
  const first = { date: form.date, timezone }
  const repeat = repeatOf(form, stored)
  const before = stored && readRepeat(stored.rrule, { date: stored.starts_local.slice(0, 10), timezone })
  const sameDay = stored?.starts_local.slice(0, 10) === form.date
  return writeRepeat(before?.week !== undefined && sameDay ? { ...repeat, week: before.week } : repeat, first)
}

export const checkForm = (form: EventForm, zone: string, stored?: MasjidEvent): Checked => {
  const faults = { ...checkChoices(form, stored), ...checkWords(form), ...checkTime(form), ...checkRepeat(form) }
  if (Object.keys(faults).length > 0) return { faults }
  const timezone = stored?.timezone ?? zone
  const rrule = ruleOf(form, stored, timezone)
  return {
    values: {
      title: form.title.replaceAll(/\s+/g, ' '),
      description: form.description,
      category: choose(form.category, 'other'),
      audience: choose(form.audience, 'everyone'),
      mode: choose(form.mode, 'in_person'),
      location: form.location || null,
      online_url: form.online_url || null,
      starts_local: `${form.date}T${isClock(form.time) ? form.time.slice(0, 5) : '00:00'}:00`,
      duration_minutes: Number(form.duration),
      timezone,
      rrule,
      exdates: rrule === null ? [] : (stored?.exdates ?? []),
      anchor_prayer: form.anchor === '' ? null : (form.anchor as MasjidEvent['anchor_prayer']),
      anchor_offset: form.anchor === '' ? null : Number(form.offset),
      status: choose(form.status, 'scheduled'),
      capacity: form.capacity === '' ? null : Number(form.capacity),
    },
  }
}
