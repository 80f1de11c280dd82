// The sources that a masjid follows → a list with their freshness, and what went wrong in words.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { FollowedSource } from '../../../timetables/follow/followed.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { shortMoment } from './day-words.ts'
import { timesPath } from './times-page.ts'

const whyFailed = ({ texts: { staffTimes, staff } }: View, { failure, status }: FollowedSource): string => {
  const words: Readonly<Record<string, string>> = { ...staff.sheets.refused, ...staffTimes.fetchRefused }
  return fillText(words[failure ?? ''] ?? staffTimes.needsLook, { status: status ?? '' })
}

const state = (view: View, { timezone }: StaffedMasjid, source: FollowedSource): Html => {
  const { staffTimes: texts } = view.texts
  const when = (moment: Date | null): string => (moment === null ? '–' : shortMoment(view, timezone, moment))
  const fresh = html`<p class="soft">${source.lastSuccessAt === null ? texts.neverRead : fill(texts.lastSuccess, { when: when(source.lastSuccessAt) })}</p>`
  if (source.failure === null) return fresh
  const text = fill(texts.lastFailure, { when: when(source.lastAttemptAt), why: whyFailed(view, source) })
  const off = source.isSwitchedOff && notice({ tone: 'warn', text: texts.switchedOff })
  return html`${fresh}${notice({ tone: 'warn', text })}${off}`
}

const entry = (view: View, masjid: StaffedMasjid, source: FollowedSource): Html => {
  const { staffTimes: texts } = view.texts
  const path = timesPath(masjid, `sources/${source.id}`)
  return html`<li class="card times-entry"><h3><bdi>${source.name}</bdi></h3><p class="soft"><bdi dir="ltr">${source.address}</bdi></p>${state(view, masjid, source)}
${source.draftId !== null && notice({ tone: 'warn', text: html`${texts.waiting} <a href="${timesPath(masjid, `drafts/${source.draftId}`)}">${texts.look}</a>` })}
${form(view, { action: `${path}/fetch`, fields: actions(submitButton({ text: texts.fetchNow, size: 'small', label: `${texts.fetchNow}: ${source.name}` }), linkButton({ href: `${path}/stop`, text: texts.stop, size: 'small', label: `${texts.stop}: ${source.name}` })) })}</li>`
}

export const sourceList = (view: View, masjid: StaffedMasjid, sources: readonly FollowedSource[]): Html =>
  sources.length === 0
    ? nothing
    : html`<h2 class="spaced">${view.texts.staffTimes.sourcesTitle}</h2><ul class="plain-list">${sources.map(source => entry(view, masjid, source))}</ul>`
