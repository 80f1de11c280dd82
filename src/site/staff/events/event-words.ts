// An event's rule, start and occurrence → words.
import { durationInWords } from '../../../base/in-words.ts'
import { readRepeat, type WeekdayCode, weekdayCodes, weekdayOf, weekOf } from '../../../events/repeat-rule.ts'
import type { View } from '../../frame/view.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, type Tone } from '../../pieces/notices.ts'
import { dayAndMonthOf, localDayOf } from '../local-words.ts'
import type { EventStatus, MasjidEvent, Occurrence } from './event.ts'

/** A week that begins on a Monday: 5 January 1970. */
export const weekdayName = ({ language }: View, code: WeekdayCode): string =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(1970, 0, 5 + weekdayCodes.indexOf(code))),
  )

const daysInWords = (view: View, days: readonly WeekdayCode[]): string =>
  new Intl.ListFormat(view.language, { type: 'conjunction' }).format(days.map(code => weekdayName(view, code)))

/** "Every week on Friday, until Friday 4 December 2026" */
export const repeatWords = (view: View, { rrule, starts_local, timezone }: MasjidEvent): Html => {
  const { words, weeks } = view.texts.staffEvents
  const date = starts_local.slice(0, 10)
  const { kind, days, week = weekOf(date), until, count, rule } = readRepeat(rrule, { date, timezone })
  const values = {
    day: kind === 'yearly' ? dayAndMonthOf(view, date) : localDayOf(view, date),
    days: daysInWords(view, kind === 'monthly_weekday' || days.length === 0 ? [weekdayOf(date)] : days),
    week: weeks[String(week) as keyof typeof weeks],
    number: Number(date.slice(8, 10)),
    rule,
  }
  return html`${fill(words[kind], values)}${until !== '' && html`, ${fill(words.until, { day: localDayOf(view, until) })}`}${
    count !== '' && html`, ${fillCount(view.language, words.count, Number(count))}`
  }`
}

/** "at 19:30", or "20 minutes after Isha" */
export const startWords = (view: View, { starts_local, anchor_prayer, anchor_offset }: MasjidEvent): Html => {
  const { words } = view.texts.staffEvents
  if (anchor_prayer === null) return fill(words.atTime, { time: starts_local.slice(11, 16) })
  const offset = anchor_offset ?? 0
  const prayer = view.texts.staff.prayers[anchor_prayer]
  const minutes = durationInWords(Math.abs(offset), 'minute', view.language)
  return fill(offset === 0 ? words.with : offset > 0 ? words.after : words.before, { minutes, prayer })
}

const tones: Readonly<Record<EventStatus, Tone>> = { scheduled: 'good', postponed: 'warn', cancelled: 'bad' }

/** What takes place needs no word. */
export const statusBadge = (view: View, status: EventStatus): Html =>
  status === 'scheduled' ? nothing : badge(view.texts.staffEvents.statuses[status], tones[status])

export const placeWords = (view: View, { capacity, going_count, waitlisted_count }: Occurrence): Html => {
  const { places, going, waiting } = view.texts.staffEvents
  const taken =
    capacity === null ? fillCount(view.language, going, going_count) : fill(places, { going: going_count, capacity })
  return html`${taken}${waitlisted_count > 0 && html` · ${fillCount(view.language, waiting, waitlisted_count)}`}`
}
