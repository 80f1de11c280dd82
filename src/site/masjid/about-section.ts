// A masjid's address, contact and facilities; and its calendars, with a way into each kind of calendar.
import type { View } from '../frame/view.ts'
import { languageWords } from '../hall/date-words.ts'
import { linkButton } from '../pieces/buttons.ts'
import { facts } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, type HtmlPart, html } from '../pieces/html.ts'
import { outsideLink } from '../pieces/outside-link.ts'
import { addressLine, masjidPath, type PublicMasjid } from './public-masjid.ts'

/** What each holds, unless the address says otherwise. */
export const calendarDays = { 'prayer-times.ics': 92, 'events.ics': 366 } as const

const feedNames = ['prayer-times.ics', 'events.ics'] as const

/** Calendars subscribe to `webcal:`, which is the same address by its own scheme; Google's takes it as a parameter. */
const waysTo = (baseUrl: string, path: string) => {
  const webcal = `${baseUrl}${path}`.replace(/^https?:/, 'webcal:')
  return { webcal, google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`, download: path }
}

const feedLinks = (view: View, masjid: PublicMasjid, baseUrl: string, feed: (typeof feedNames)[number]): Html => {
  const { feeds, feedHolds, subscribeWays: words } = view.texts.masjidPage
  const ways = waysTo(baseUrl, masjidPath(masjid, `/${feed}`))
  const label = (way: keyof typeof words): string => `${words[way]}: ${feeds[feed]}`
  const link = (way: keyof typeof words): Html =>
    linkButton({ href: ways[way], text: words[way], size: 'small', label: label(way) })
  return html`<h3>${feeds[feed]}</h3><p class="soft">${fill(feedHolds, { days: calendarDays[feed] })}</p><p class="actions">${link('webcal')}${link('google')}<a class="button small" href="${ways.download}" download aria-label="${label('download')}">${words.download}</a></p>`
}

export const calendarSection = (view: View, masjid: PublicMasjid, baseUrl: string): Html => {
  const { subscribe, subscribeHint } = view.texts.masjidPage
  return html`<section class="card no-print" aria-labelledby="calendar-title"><h2 id="calendar-title">${subscribe}</h2>
<p class="soft">${subscribeHint}</p>${feedNames.map(feed => feedLinks(view, masjid, baseUrl, feed))}</section>`
}

const mapLinks = (view: View, { latitude, longitude }: PublicMasjid): Html => {
  const { map, directions } = view.texts.masjidPage
  const link = (href: string, text: string): Html => html`<a href="${href}" rel="noopener noreferrer">${text}</a>`
  return html`<span class="no-print">${link(`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`, map)} · ${link(`https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`, directions)}</span>`
}

const contactEntries = (view: View, { phone, email, website }: PublicMasjid): (readonly [string, HtmlPart])[] => {
  const { masjidPage: texts } = view.texts
  return [
    ...(phone === null
      ? []
      : [[texts.phone, html`<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}" dir="ltr">${phone}</a>`] as const]),
    ...(email === null
      ? []
      : [[texts.email, html`<a href="mailto:${encodeURIComponent(email)}" dir="ltr">${email}</a>`] as const]),
    ...(website === null ? [] : [[texts.website, outsideLink(website)] as const]),
  ]
}

export const aboutSection = (view: View, masjid: PublicMasjid): Html => {
  const { masjidPage: texts, staffDetails } = view.texts
  const { languages, facilities } = masjid
  const spoken = languages.map(tag => languageWords(view.language, tag)).join(view.language === 'ar' ? '، ' : ', ')
  return html`<section class="card" aria-labelledby="about-title"><h2 id="about-title">${texts.about}</h2>
${facts([
  [texts.address, html`<address><bdi>${addressLine(masjid)}</bdi></address> ${mapLinks(view, masjid)}`],
  ...contactEntries(view, masjid),
  ...(languages.length === 0 ? [] : [[texts.spoken, spoken] as const]),
])}${
  facilities.length > 0 &&
  html`<h3>${texts.facilities}</h3><ul class="inline-list">${facilities.map(name => html`<li>${staffDetails.facilityNames[name]}</li>`)}</ul>`
}</section>`
}
