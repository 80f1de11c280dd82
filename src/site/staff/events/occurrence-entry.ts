// One date of an event → its line in a list, with what can be done about it.
import { localTimeAt } from '../../../base/local-time.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { staffPath } from '../sections.ts'
import type { ListedOccurrence } from './event.ts'
import { placeWords, statusBadge } from './event-words.ts'

export const occurrencePath = (masjid: StaffedMasjid, id: string, action: string): string =>
  staffPath(masjid, `events/dates/${id}/${action}`)

const buttons = (view: View, masjid: StaffedMasjid, { id, status, starts_at, event }: ListedOccurrence): Html => {
  const { staffEvents: texts } = view.texts
  const said = {
    title: event.title,
    moment: localTimeAt(new Date(starts_at), masjid.timezone).slice(0, 16).replace('T', ' '),
  }
  const back = form(view, {
    action: occurrencePath(masjid, id, 'keep'),
    fields: submitButton({ text: texts.takePlace, size: 'small', label: fillText(texts.takePlaceOf, said) }),
  })
  const cancel = linkButton({
    text: texts.cancelDate,
    href: occurrencePath(masjid, id, 'cancel'),
    size: 'small',
    label: fillText(texts.cancelOf, said),
  })
  return html`<div class="actions">${linkButton({ text: texts.answers, href: occurrencePath(masjid, id, 'answers'), size: 'small', label: fillText(texts.answersOf, said) })}${
    status === 'scheduled' ? cancel : back
  }</div>`
}

export const occurrenceEntry = (view: View, masjid: StaffedMasjid, occurrence: ListedOccurrence): Html => {
  const { event, starts_at, ends_at } = occurrence
  const clock = (moment: string): string => localTimeAt(new Date(moment), masjid.timezone).slice(11, 16)
  return html`<li class="card event"><p class="event-time"><time datetime="${new Date(starts_at).toISOString()}">${clock(starts_at)}</time>–${clock(ends_at)} ${statusBadge(view, occurrence.status)}</p>
<h4><a href="${staffPath(masjid, `events/${event.id}`)}"><bdi>${event.title}</bdi></a></h4>
<p class="soft">${event.location !== null && html`<bdi>${event.location}</bdi> · `}${placeWords(view, occurrence)}</p>${buttons(view, masjid, occurrence)}</li>`
}
