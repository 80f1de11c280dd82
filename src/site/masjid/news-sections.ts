// What a masjid announces, and what takes place there → two lists.
import { localTimeAt } from '../../base/local-time.ts'
import { isWebAddress } from '../../base/web-address.ts'
import type { View } from '../frame/view.ts'
import { type ClockCycle, clockWords } from '../hall/clock.ts'
import { dateWords } from '../hall/date-words.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge } from '../pieces/notices.ts'
import { textIn } from '../staff/announcements/announcement.ts'
import { directionOfTag, janazahWords } from '../staff/announcements/show-announcement.ts'
import { statusBadge } from '../staff/events/event-words.ts'
import { masjidPath, type PublicAnnouncement, type PublicMasjid, type PublicOccurrence } from './public-masjid.ts'

/** What nobody should miss: an urgent one, then a janazah. */
const rank = ({ urgent, kind }: PublicAnnouncement): number => (urgent ? 0 : kind === 'janazah' ? 1 : 2)

const isImportant = (announcement: PublicAnnouncement): boolean => rank(announcement) < 2

const announcementCard = (view: View, announcement: PublicAnnouncement): Html => {
  const { staffAnnouncements: texts } = view.texts
  const [language, { title, body }] = textIn(announcement, view.language)
  const { urgent, kind } = announcement
  return html`<li class="card announcement${urgent ? ' urgent' : ''}">${(urgent || kind !== 'general') && html`<p class="announcement-kind">${urgent && badge(texts.urgent, 'bad')} ${kind !== 'general' && badge(texts.kinds[kind])}</p>`}
<h3 lang="${language}" dir="${directionOfTag(language)}">${title}</h3>${janazahWords(view, announcement)}${
    body !== undefined &&
    body !== '' &&
    html`<p class="as-typed" lang="${language}" dir="${directionOfTag(language)}">${body}</p>`
  }</li>`
}

const cards = (view: View, announcements: readonly PublicAnnouncement[]): Html =>
  html`<ul class="plain-list">${announcements.map(one => announcementCard(view, one))}</ul>`

/** Above everything else, also on a phone. */
export const importantSection = (view: View, { announcements }: PublicMasjid): Html => {
  const shown = announcements.filter(isImportant).toSorted((left, right) => rank(left) - rank(right))
  if (shown.length === 0) return nothing
  return html`<section class="news" aria-labelledby="important-title"><h2 id="important-title" class="visually-hidden">${view.texts.masjidPage.important}</h2>${cards(view, shown)}</section>`
}

export const announcementsSection = (view: View, { announcements }: PublicMasjid): Html => {
  const shown = announcements.filter(one => !isImportant(one))
  if (shown.length === 0) return nothing
  return html`<section class="news" aria-labelledby="announcements-title"><h2 id="announcements-title">${view.texts.masjidPage.announcements}</h2>${cards(view, shown)}</section>`
}

export type HeldOccurrence = PublicOccurrence & { readonly event: NonNullable<PublicOccurrence['event']> }

export const heldOccurrences = ({ occurrences }: PublicMasjid): readonly HeldOccurrence[] =>
  occurrences.filter((one): one is HeldOccurrence => one.event !== null)

export const statusOf = ({ status, event }: HeldOccurrence): PublicOccurrence['status'] =>
  event.status === 'scheduled' ? status : event.status

/** What repeats is shown once, with its further dates. */
const byEvent = (occurrences: readonly HeldOccurrence[]): readonly (readonly [HeldOccurrence, ...HeldOccurrence[]])[] =>
  [...Map.groupBy(occurrences, ({ event }) => event.id).values()] as [HeldOccurrence, ...HeldOccurrence[]][]

interface EventLine {
  readonly masjid: PublicMasjid
  readonly clock: ClockCycle
  /** Whether the address of this page says which language. */
  readonly languageAsked: boolean
  readonly dates: readonly [HeldOccurrence, ...HeldOccurrence[]]
}

const MOST_DATES = 4

/** Its page, where people answer; it reads the language from a parameter of its own. */
const dateHref = ({ language }: View, { masjid, languageAsked }: EventLine, { id }: HeldOccurrence): string =>
  masjidPath(masjid, `/events/${id}`) + (languageAsked ? `?ui_locales=${language}` : '')

const laterDates = (view: View, line: EventLine): Html => {
  const {
    masjid,
    dates: [, ...later],
  } = line
  if (later.length === 0) return nothing
  const words = later
    .filter(one => statusOf(one) === 'scheduled')
    .slice(0, MOST_DATES)
    .map(
      (one, index) =>
        html`${index > 0 && ' · '}<a href="${dateHref(view, line, one)}" rel="nofollow">${dateWords(view.language, localTimeAt(new Date(one.starts_at), masjid.timezone).slice(0, 10), 'short')}</a>`,
    )
  return html`<p class="soft small">${fill(view.texts.masjidPage.also, { dates: html`${words}` })}</p>`
}

const answerLink = (view: View, line: EventLine): Html => {
  const {
    masjid,
    dates: [first],
  } = line
  const { link, linkOf } = view.texts.rsvp
  const moment = localTimeAt(new Date(first.starts_at), masjid.timezone).slice(0, 16).replace('T', ' ')
  return html`<p class="no-print"><a href="${dateHref(view, line, first)}" rel="nofollow" aria-label="${fillText(linkOf, { title: first.event.title, moment })}">${link}</a></p>`
}

const eventLine = (view: View, line: EventLine): Html => {
  const { masjid, clock, dates } = line
  const [first] = dates
  const { event, starts_at } = first
  const local = localTimeAt(new Date(starts_at), masjid.timezone)
  const { masjidPage: texts, staffEvents } = view.texts
  const about = [
    event.category !== 'other' && html`${staffEvents.categories[event.category]}`,
    event.location !== null && html`<bdi>${event.location}</bdi>`,
    event.online_url !== null &&
      isWebAddress(event.online_url) &&
      html`<a href="${event.online_url}" rel="noopener noreferrer nofollow">${texts.online}</a>`,
  ].filter(part => part !== false)
  return html`<li><p class="event-time"><time datetime="${new Date(starts_at).toISOString()}">${dateWords(view.language, local.slice(0, 10))}, ${clockWords(view.language, local, clock)}</time> ${statusBadge(view, statusOf(first))}</p>
<h3><bdi>${event.title}</bdi></h3>${about.length > 0 && html`<p class="soft">${about.map((part, index) => html`${index > 0 && ' · '}${part}`)}</p>`}${statusOf(first) !== 'cancelled' && answerLink(view, line)}${laterDates(view, line)}</li>`
}

export const eventsSection = (view: View, page: Omit<EventLine, 'dates'>): Html => {
  const shown = byEvent(heldOccurrences(page.masjid))
  if (shown.length === 0) return nothing
  return html`<section class="card" aria-labelledby="events-title"><h2 id="events-title">${view.texts.masjidPage.events}</h2>
<ul class="plain-list public-events">${shown.map(dates => eventLine(view, { ...page, dates }))}</ul></section>`
}
