// Moments and dates → words on the masjid's clock and calendar, with Latin digits in every language.
import type { StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import type { View } from '../frame/view.ts'
import { dateLocale } from '../hall/date-words.ts'
import { type Html, html } from '../pieces/html.ts'

type Zone = Pick<StaffedMasjid, 'timezone'>

const inWords = ({ language }: View, moment: Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(dateLocale(language), { numberingSystem: 'latn', hourCycle: 'h23', ...options }).format(
    moment,
  )

/** Infinity and the like: rows from before the rule against them are shown as they are, to be found and deleted. */
const isBeyond = (moment: Date): boolean => Number.isNaN(moment.getTime())

const timeOf = (view: View, text: string, options: Intl.DateTimeFormatOptions): Html => {
  const moment = new Date(text)
  if (isBeyond(moment)) return html`${text}`
  return html`<time datetime="${moment.toISOString()}">${inWords(view, moment, options)}</time>`
}

/** `Mon 16 Nov 2026, 13:30` */
export const localMomentOf = (view: View, { timezone }: Zone, moment: string): Html =>
  timeOf(view, moment, {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

/** `16 Nov 2026`, the day of a moment on the masjid's calendar. */
export const shortDayOf = (view: View, { timezone }: Zone, moment: string): Html =>
  timeOf(view, moment, { timeZone: timezone, day: 'numeric', month: 'short', year: 'numeric' })

const dayOf = (view: View, date: string, options: Intl.DateTimeFormatOptions): string => {
  const noon = new Date(`${date}T12:00:00Z`)
  return isBeyond(noon) ? date : inWords(view, noon, { timeZone: 'UTC', ...options })
}

/** `2026-11-16` → `Monday 16 November 2026` */
export const localDayOf = (view: View, text: string): Html => {
  const date = text.slice(0, 10)
  return html`<time datetime="${date}">${dayOf(view, date, { dateStyle: 'full' })}</time>`
}

/** `2026-11-16` → `16 November` */
export const dayAndMonthOf = (view: View, date: string): string => dayOf(view, date, { day: 'numeric', month: 'long' })
