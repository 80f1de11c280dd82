// Planned and recent changes → two lists: what will be published and can be called off, what was published and can be taken back.

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
  return reason?.startsWith('Its days were over') === true ? reasons.over : reasons.other
}

const stateWords = (view: View, masjid: StaffedMasjid, change: StoredChange): Html => {
  const { week } = view.texts
  if (change.status === 'failed') return fill(week.failedBecause, { reason: reasonWords(view, change) })
  if (change.status === 'undone') return html`${week.undone}`
  const when = momentWords(view, masjid, change.published_at ?? change.publish_at)
  return fill(change.status === 'planned' ? week.publishesAt : week.publishedAt, { when })
}

const item = (view: View, masjid: StaffedMasjid, change: StoredChange, action: Html | false): Html =>
  html`<li><div><bdi>${changeWords(view, change)}</bdi><br><span class="soft">${stateWords(view, masjid, change)}</span></div>${action}</li>`

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

export const changesList = (view: View, masjid: StaffedMasjid, { planned, recent }: Changes): Html => {
  const { week } = view.texts
  return html`${
    planned.length > 0 &&
    html`<h2>${week.planned}</h2><ul class="plain-list week-changes">${planned.map(change => item(view, masjid, change, cancelForm(view, masjid, change)))}</ul>`
  }<h2>${week.recent}</h2>${
    recent.length === 0
      ? html`<p class="soft">${week.noChanges}</p>`
      : html`<ul class="plain-list week-changes">${recent.map(change => item(view, masjid, change, undoLink(view, masjid, change)))}</ul>`
  }`
}
