// The three parts of the section "This week", as links above each of its pages.

import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { attributes, type Html, html } from '../../pieces/html.ts'
import { staffPath } from '../sections.ts'

type WeekPart = 'week' | 'sessions' | 'ramadan'

export const weekMenu = ({ texts }: View, masjid: StaffedMasjid, current: WeekPart): Html => {
  const link = (name: WeekPart, path: string, text: string): Html =>
    html`<li><a href="${staffPath(masjid, path)}"${attributes({ 'aria-current': name === current && 'page' })}>${text}</a></li>`
  return html`<nav class="week-menu" aria-label="${texts.week.pages}"><ul>${[
    link('week', 'week', texts.staff.sections.week),
    link('sessions', 'week/sessions', texts.week.sessionsLink),
    link('ramadan', 'week/ramadan', texts.week.ramadanLink),
  ]}</ul></nav>`
}
