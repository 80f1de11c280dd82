// Planned and recent changes → two lists: what will be published and can be called off, what was published and can be taken back.

import { addDays } from '../../../base/civil-date.ts'
import { localTimeAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { dateWords } from '../../hall/date-words.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { staffPath } from '../sections.ts'
import { nearDay } from '../times/day-words.ts'
import type { Changes, StoredChange } from './read-changes.ts'
import { changeWords } from './rule-words.ts'

const momentWords = ({ language }: View, { timezone }: StaffedMasjid, instant: string): string => {
  const local = localTimeAt(new Date(instant), timezone)
  return `${dateWords(language, local.slice(0, 10), 'short')} ${clockWords(language, local)}`
}

/** The database gives its reasons in English. */
const reasonWords = ({ texts }: View, { reason }: StoredChange): string => {
  const { reasons } = texts.week
  if (reason?.includes('capability') === true) return reasons.rights
  if (reason !== null && /^(This would replace|Timetables published since)/.test(reason)) return reasons.timetable
  return reason?.startsWith('Its days were over') === true ? reasons.over : reasons.other
}

const stateWords = (view: View, masjid: StaffedMasjid, change: StoredChange): Html => {
  const { week } = view.texts
  if (change.status === 'failed') return fill(week.failedBecause, { reason: reasonWords(view, change) })
  if (change.status === 'undone') return html`${week.undone}`
  const when = momentWords(view, masjid, change.published_at ?? change.publish_at)
  return fill(change.status === 'planned' ? week.publishesAt : week.publishedAt, { when })
}

/** Where people pray by a published timetable again, although the change has not ended. */
const timetableWords = (view: View, { today, given }: Changes, change: StoredChange): Html | false => {
  const { status, prayer, session, first_on, last_on, ends_on } = change
  if (status !== 'published' && status !== 'planned') return false
  const end = last_on ?? (ends_on === null ? '9999-12-31' : addDays(ends_on, 1))
  const next = given.find(
    times =>
      times.prayer === prayer &&
      times.session === session &&
      times.last >= first_on &&
      times.first > today &&
      times.first <= end,
  )
  if (next === undefined) return false
  const { timetableFrom } = view.texts.week
  return html`<br>${fill(timetableFrom, { first: nearDay(view, next.first, today), name: next.name })}`
}

const item = (view: View, changes: Changes, { masjid, change, action }: Item): Html =>
  html`<li><div><bdi>${changeWords(view, change)}</bdi>${timetableWords(view, changes, change)}<br><span class="soft">${stateWords(view, masjid, change)}</span></div>${action}</li>`

interface Item {
  readonly masjid: StaffedMasjid
  readonly change: StoredChange
  readonly action: Html | false
}

const cancelForm = (view: View, masjid: StaffedMasjid, change: StoredChange): Html => {
  const { week } = view.texts
  return form(view, {
    action: staffPath(masjid, 'week/cancel'),
    hidden: { change: change.id },
    fields: submitButton({
      text: week.cancelPlan,
      size: 'small',
      label: fillText(week.cancelPlanNamed, { change: changeWords(view, change) }),
    }),
  })
}

export const undoLink = (view: View, masjid: StaffedMasjid, change: StoredChange): Html | false =>
  change.status === 'published' &&
  linkButton({
    href: `${staffPath(masjid, 'week/undo')}?change=${change.id}`,
    text: view.texts.week.undo,
    size: 'small',
    label: fillText(view.texts.week.undoNamed, { change: changeWords(view, change) }),
  })

export const changesList = (view: View, masjid: StaffedMasjid, changes: Changes): Html => {
  const { planned, recent } = changes
  const { week } = view.texts
  return html`${
    planned.length > 0 &&
    html`<h2>${week.planned}</h2><ul class="plain-list week-changes">${planned.map(change => item(view, changes, { masjid, change, action: cancelForm(view, masjid, change) }))}</ul>`
  }<h2>${week.recent}</h2>${
    recent.length === 0
      ? html`<p class="soft">${week.noChanges}</p>`
      : html`<ul class="plain-list week-changes">${recent.map(change => item(view, changes, { masjid, change, action: undoLink(view, masjid, change) }))}</ul>`
  }`
}
