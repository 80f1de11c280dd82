// A masjid's events → the page: the next dates by day, and all events with their rule in words.
import { localDateAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { localDayOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import type { ListedOccurrence, MasjidEvent } from './event.ts'
import { repeatWords, startWords, statusBadge } from './event-words.ts'
import { occurrenceEntry } from './occurrence-entry.ts'

const DATES_A_PAGE = 20

export interface ListParts {
  readonly masjid: StaffedMasjid
  readonly occurrences: readonly ListedOccurrence[]
  readonly events: readonly MasjidEvent[]
  readonly done: string | undefined
  readonly deleted: string | undefined
  readonly skip: number
}

export const eventPath = (masjid: Pick<StaffedMasjid, 'slug'>, ...rest: readonly string[]): string =>
  staffPath(masjid, ['events', ...rest].join('/'))

const coming = (view: View, { masjid, occurrences, skip }: ListParts): Html => {
  const { staffEvents: texts } = view.texts
  const shown = occurrences.slice(0, DATES_A_PAGE)
  if (shown.length === 0) return emptyState({ title: texts.none, text: texts.noneText })
  const days = Map.groupBy(shown, ({ starts_at }) => localDateAt(new Date(starts_at), masjid.timezone))
  const to = (offset: number): string => `${eventPath(masjid)}?skip=${offset}`
  return html`<section><h2>${texts.coming}</h2>${[...days].map(
    ([day, found]) =>
      html`<h3 class="event-day">${localDayOf(view, day)}</h3><ul class="plain-list">${found.map(one => occurrenceEntry(view, masjid, one))}</ul>`,
  )}<p class="actions">${skip > 0 && linkButton({ text: texts.earlier, href: to(Math.max(0, skip - DATES_A_PAGE)), size: 'small' })}${
    occurrences.length > DATES_A_PAGE && linkButton({ text: texts.later, href: to(skip + DATES_A_PAGE), size: 'small' })
  }</p></section>`
}

const all = (view: View, { masjid, events }: ListParts): Html =>
  events.length === 0
    ? nothing
    : html`<section><h2>${view.texts.staffEvents.all}</h2><ul class="plain-list">${events.map(
        event =>
          html`<li class="card event"><h3><a href="${eventPath(masjid, event.id)}"><bdi>${event.title}</bdi></a> ${statusBadge(view, event.status)} ${event.has_rule_without_dates && badge(view.texts.staffEvents.withoutDates, 'warn')}</h3><p class="soft">${repeatWords(view, event)} · ${startWords(view, event)}</p></li>`,
      )}</ul></section>`

const undoForm = (view: View, { masjid, deleted }: ListParts): Html =>
  deleted === undefined
    ? nothing
    : form(view, {
        action: eventPath(masjid, deleted, 'restore'),
        fields: html`<div class="undo">${submitButton({ text: view.texts.staffEvents.undo, size: 'small' })}</div>`,
      })

export const listPage = (view: View, parts: ListParts): Html => {
  const { staffEvents: texts } = view.texts
  return staffFrame(view, {
    masjid: parts.masjid,
    section: 'events',
    done: parts.done,
    main: html`${undoForm(view, parts)}<p class="lead">${texts.lead}</p>${actions(
      linkButton({ text: texts.create, href: eventPath(parts.masjid, 'new'), look: 'primary' }),
    )}${coming(view, parts)}${all(view, parts)}`,
  })
}
