// A date of an event → what all pages about it show, and the fields by which it is answered.
import { type AnswerStatus, answers } from '../../accounts/guest-answers.ts'
import { localTimeAt } from '../../base/local-time.ts'
import { isWebAddress } from '../../base/web-address.ts'
import type { View } from '../frame/view.ts'
import { clockCycleOf, clockWords } from '../hall/clock.ts'
import { dateWords } from '../hall/date-words.ts'
import { masjidPath, nameIn } from '../masjid/public-masjid.ts'
import { radioGroup } from '../pieces/choices.ts'
import { fill } from '../pieces/fill.ts'
import { textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { placeWords, statusBadge } from '../staff/events/event-words.ts'
import type { EventDate } from './read-date.ts'

export const datePath = ({
  id,
  masjid,
}: Pick<EventDate, 'id'> & { readonly masjid: { readonly slug: string } }): string =>
  masjidPath(masjid, `/events/${id}`)

const shownStatus = ({ status, event }: EventDate): EventDate['status'] =>
  event.status === 'scheduled' ? status : event.status

export const momentOf = ({ language }: View, { starts_at, masjid }: EventDate): Html => {
  const local = localTimeAt(new Date(starts_at), masjid.timezone)
  return html`<time datetime="${new Date(starts_at).toISOString()}">${dateWords(language, local.slice(0, 10), 'full')}, ${clockWords(language, local, clockCycleOf(masjid.country))}</time>`
}

export const dateHead = (view: View, date: EventDate): Html =>
  html`<p class="soft"><a href="${masjidPath(date.masjid)}"><bdi>${nameIn(view.language, date.masjid)}</bdi></a></p>
<h1><bdi>${date.event.title}</bdi></h1><p>${momentOf(view, date)} ${statusBadge(view, shownStatus(date))}</p>`

export const dateDetails = (view: View, date: EventDate): Html => {
  const { event, capacity, going_count } = date
  const { staffEvents, masjidPage, rsvp } = view.texts
  const about = [
    event.location !== null && html`<bdi>${event.location}</bdi>`,
    event.audience !== 'everyone' && html`${staffEvents.audiences[event.audience]}`,
    event.online_url !== null &&
      isWebAddress(event.online_url) &&
      html`<a href="${event.online_url}" rel="noopener noreferrer nofollow">${masjidPage.online}</a>`,
    capacity === null ? placeWords(view, date) : fill(rsvp.places, { going: going_count, capacity }),
  ].filter(part => part !== false)
  return html`<p class="soft">${about.map((part, index) => html`${index > 0 && ' · '}${part}`)}</p>${
    event.description !== '' && html`<p class="as-typed" dir="auto">${event.description}</p>`
  }`
}

export interface TypedAnswer {
  readonly status: AnswerStatus
  readonly size: string
}

export const answerFields = (
  view: View,
  { status, size }: TypedAnswer,
  { most, fault }: { readonly most: number; readonly fault: string | undefined },
): Html => {
  const { rsvp } = view.texts
  return html`${radioGroup({ name: 'status', label: rsvp.question, chosen: [status], choices: answers.map(value => ({ value, label: rsvp.answers[value] })) })}
${textField({ name: 'size', label: rsvp.size, hint: rsvp.sizeHint, value: size, fault, type: 'number', attributes: { min: 1, max: most, inputmode: 'numeric' } })}`
}
