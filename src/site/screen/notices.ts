// Announcements and events → what the screen shows of them: finished HTML, and until when it holds.
import type { ScreenAnnouncement, ScreenEvent } from '../../screens/read-screen.ts'
import { dateWords } from '../hall/date-words.ts'
import { type HallLook, hallTime, inEach } from '../hall/hall-look.ts'
import type { Prayer } from '../hall/prayer-time.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { directionOfTag } from '../staff/announcements/show-announcement.ts'
import { textsFor } from '../texts/texts.ts'

export interface Notice {
  readonly html: string
  /** Nobody should miss it: it does not take turns with the others. */
  readonly pinned: boolean
  /** Not shown from then on, in milliseconds since 1970. */
  readonly until: number | null
}

const words = ({ languages }: HallLook, { texts }: ScreenAnnouncement): Html => {
  const own = languages.filter(language => texts[language] !== undefined)
  const tags = own.length > 0 ? own : Object.keys(texts).slice(0, 1)
  return html`${tags.map(
    tag =>
      html`<div lang="${tag}" dir="${directionOfTag(tag)}"><h2>${texts[tag]?.title}</h2>${
        texts[tag]?.body !== undefined && html`<p>${texts[tag].body}</p>`
      }</div>`,
  )}`
}

/** When the prayer is, in each language, and where; then the burial. */
const janazahLines = (look: HallLook, announcement: ScreenAnnouncement): Html => {
  const { janazah_on: date, janazah_after, janazah_time, janazah_place, burial_place } = announcement
  if (date === null) return html``
  const time = janazah_time === null ? '' : hallTime(look, `${date}T${janazah_time}`)
  const when = inEach(look, ({ staffAnnouncements, staff }, language) => {
    const day = dateWords(language, date)
    return janazah_after === null
      ? fillText(staffAnnouncements.janazahAt, { time, day })
      : fillText(staffAnnouncements.janazahAfter, { prayer: staff.prayers[janazah_after as Prayer], day })
  })
  const { burial } = textsFor(look.languages[0]).staffAnnouncements
  const places = [
    janazah_place !== null && html`<bdi>${janazah_place}</bdi>`,
    burial_place !== null && fill(burial, { place: burial_place }),
  ].filter(place => place !== false)
  return html`<p>${when}</p>${places.length > 0 && html`<p>${places.map((place, index) => html`${index > 0 && ' · '}${place}`)}</p>`}`
}

export const announcementNotice = (look: HallLook, announcement: ScreenAnnouncement): Notice => {
  const { kind, urgent, ends_at } = announcement
  const tone = urgent ? 'urgent' : kind
  return {
    html: html`<article class="hall-notice hall-${tone}">${words(look, announcement)}${janazahLines(look, announcement)}</article>`
      .text,
    pinned: urgent || kind === 'janazah',
    until: ends_at?.getTime() ?? null,
  }
}

export const eventNotice = (look: HallLook, { title, location, starts_at, starts_local }: ScreenEvent): Notice => ({
  html: html`<article class="hall-notice"><h2><bdi>${title}</bdi></h2><p>${inEach(look, (_, language) =>
    dateWords(language, starts_local.slice(0, 10)),
  )} ${hallTime(look, starts_local)}${location !== null && html` · <bdi>${location}</bdi>`}</p></article>`.text,
  pinned: false,
  until: starts_at.getTime(),
})
