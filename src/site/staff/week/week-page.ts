// Seven days of times, and the changes of a masjid → the page "This week".

import { addDays } from '../../../base/civil-date.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords, hijriWords } from '../../hall/date-words.ts'
import { inOrder, nameOf, type PrayerTime } from '../../hall/prayer-time.ts'
import { linkButton } from '../../pieces/buttons.ts'
import { table } from '../../pieces/data.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { attributes, type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type LaterStart, startsLater } from '../times/starts-later.ts'
import { changesList, undoLink } from './changes-list.ts'
import type { Changes } from './read-changes.ts'
import { byDate } from './read-times.ts'
import { weekMenu } from './week-menu.ts'

export interface WeekParts {
  readonly masjid: StaffedMasjid
  readonly today: string
  readonly times: readonly PrayerTime[]
  readonly changes: Changes
  /** Published timetables that begin later. */
  readonly later: readonly (LaterStart & { readonly name: string })[]
  readonly done: string | undefined
  /** The change that was just published. */
  readonly published?: string | undefined
  /** Why something could not be taken back. */
  readonly refusal?: string | undefined
}

export const changePath = (
  masjid: StaffedMasjid,
  {
    prayer,
    session,
    date,
    only = false,
  }: Pick<PrayerTime, 'prayer' | 'session' | 'date'> & { readonly only?: boolean },
): string =>
  `${staffPath(masjid, 'week/change')}?${new URLSearchParams({ prayer, session: String(session), from: date, ...(only ? { lasts: 'day' } : {}) })}`

const about = (view: View, { imam, khutbah_local }: PrayerTime): Html =>
  html`${imam !== null && html`<br><bdi class="soft">${imam}</bdi>`}${
    khutbah_local !== null &&
    html`<br><span class="soft">${view.texts.hall.khutbah} ${clockWords(view.language, khutbah_local)}</span>`
  }`

const dayTable = (view: View, masjid: StaffedMasjid, times: readonly PrayerTime[]): Html => {
  const { staff, week } = view.texts
  const [first] = times
  const date = first === undefined ? '' : dateWords(view.language, first.date)
  return table({
    caption: date,
    head: [staff.prayer, staff.adhan, staff.iqamah, week.change],
    rows: inOrder(times).map(time => [
      html`<bdi>${nameOf(view.texts, time)}</bdi>${about(view, time)}<br><span class="soft small">${week.sources[time.source]}</span>`,
      clockWords(view.language, time.adhan_local),
      html`<strong>${clockWords(view.language, time.iqamah_local)}</strong>`,
      linkButton({
        href: changePath(masjid, time),
        text: week.change,
        size: 'small',
        label: fillText(week.changeNamed, { prayer: nameOf(view.texts, time), date }),
      }),
    ]),
  })
}

const dayBlock = (
  view: View,
  { masjid, today }: WeekParts,
  [date, times]: readonly [string, readonly PrayerTime[]],
): Html => {
  const { week } = view.texts
  const near = date === today ? week.today : date === addDays(today, 1) ? week.tomorrow : undefined
  const [first] = times
  return html`<details class="week-day"${attributes({ open: date === today })}><summary><h2>${near !== undefined && `${near} · `}${dateWords(view.language, date)}</h2>
<span class="soft">${first && hijriWords(view.language, view.texts, first)}</span></summary>${dayTable(view, masjid, times)}</details>`
}

const undoNow = (view: View, { masjid, changes, published }: WeekParts): Html | false => {
  const change = changes.recent.find(({ id, status }) => id === published && status === 'published')
  return change !== undefined && html`<p>${undoLink(view, masjid, change)}</p>`
}

export const weekPage = (view: View, parts: WeekParts): Html => {
  const { masjid, times, changes, later, done, refusal } = parts
  const { week, staff } = view.texts
  return staffFrame(view, {
    masjid,
    section: 'week',
    done,
    faulty: refusal !== undefined,
    main: html`${refusal !== undefined && notice({ tone: 'bad', text: html`<bdi>${refusal}</bdi>` })}${undoNow(view, parts)}${weekMenu(view, masjid, 'week')}<p class="lead">${fill(week.lead, { timezone: masjid.timezone })}</p>${later.map(start => html`<p>${startsLater(view, start, start.name)}</p>`)}
${times.length === 0 && html`<p>${staff.noTimes}</p>`}${[...byDate(times)].map(entry => dayBlock(view, parts, entry))}
${changesList(view, masjid, changes)}`,
  })
}
