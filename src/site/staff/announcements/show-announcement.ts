// An announcement → how it reads: its text, what a janazah adds, and when it shows.

import { directionOf, isLanguage } from '../../../accounts/languages.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { fill } from '../../pieces/fill.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge } from '../../pieces/notices.ts'
import { localDayOf, localMomentOf } from '../local-words.ts'
import { type Announcement, textIn } from './announcement.ts'

export const languageName = ({ language }: View, tag: string): string => {
  try {
    return new Intl.DisplayNames([language], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}

export const directionOfTag = (tag: string): 'ltr' | 'rtl' | 'auto' => (isLanguage(tag) ? directionOf(tag) : 'auto')

export const janazahWords = (view: View, announcement: Omit<Announcement, 'version' | 'shown_on'>): Html => {
  const { staffAnnouncements: texts, staff } = view.texts
  const { janazah_on, janazah_after, janazah_time, janazah_place, burial_place } = announcement
  if (janazah_on === null) return nothing
  const day = localDayOf(view, janazah_on)
  const when =
    janazah_after === null
      ? fill(texts.janazahAt, { time: janazah_time?.slice(0, 5) ?? '', day })
      : fill(texts.janazahAfter, { prayer: staff.prayers[janazah_after], day })
  return html`<p>${when}${janazah_place !== null && html` · <bdi>${janazah_place}</bdi>`}</p>${
    burial_place !== null && html`<p>${fill(texts.burial, { place: burial_place })}</p>`
  }`
}

const periodWords = (view: View, masjid: StaffedMasjid, { starts_at, ends_at }: Announcement): Html => {
  const { staffAnnouncements: texts } = view.texts
  const from = fill(texts.from, { moment: localMomentOf(view, masjid, starts_at) })
  const until =
    ends_at === null ? texts.untilEnded : fill(texts.until, { moment: localMomentOf(view, masjid, ends_at) })
  return html`${from} ${until}`
}

export const announcementBody = (view: View, masjid: StaffedMasjid, announcement: Announcement): Html => {
  const { staffAnnouncements: texts } = view.texts
  const [language, { title, body }] = textIn(announcement, view.language)
  return html`<p class="announcement-kind">${announcement.urgent && badge(texts.urgent, 'bad')} ${badge(texts.kinds[announcement.kind])}</p>
<h3 lang="${language}" dir="${directionOfTag(language)}">${title}</h3>${janazahWords(view, announcement)}${
    body !== undefined && html`<p class="as-typed" lang="${language}" dir="${directionOfTag(language)}">${body}</p>`
  }<p class="soft small">${periodWords(view, masjid, announcement)}<br>${announcement.shown_on.map(place => texts.places[place]).join(' · ')}${
    Object.keys(announcement.texts).length > 1 &&
    html` · ${Object.keys(announcement.texts)
      .map(tag => languageName(view, tag))
      .join(', ')}`
  }</p>`
}
