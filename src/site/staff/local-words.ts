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

/** `Mon 16 Nov 2026, 13:30` */
export const localMomentOf = (view: View, { timezone }: Zone, moment: string): Html => {
  const words = inWords(view, new Date(moment), {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return html`<time datetime="${new Date(moment).toISOString()}">${words}</time>`
}

/** `16 Nov 2026`, the day of a moment on the masjid's calendar. */
export const shortDayOf = (view: View, { timezone }: Zone, moment: string): Html => {
  const words = inWords(view, new Date(moment), { timeZone: timezone, day: 'numeric', month: 'short', year: 'numeric' })
  return html`<time datetime="${new Date(moment).toISOString()}">${words}</time>`
}

/** `2026-11-16` → `Monday 16 November 2026` */
export const localDayOf = (view: View, date: string): Html => {
  const words = inWords(view, new Date(`${date.slice(0, 10)}T12:00:00Z`), { timeZone: 'UTC', dateStyle: 'full' })
  return html`<time datetime="${date.slice(0, 10)}">${words}</time>`
}
