// A masjid, its times and its news → its public page.
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { type ClockCycle, clockCycleOf } from '../hall/clock.ts'
import { dateWords, hijriWords } from '../hall/date-words.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { aboutSection, calendarSection } from './about-section.ts'
import { changesAt } from './holds-for.ts'
import { stayCurrent } from './masjid-assets.ts'
import { monthSection } from './month-section.ts'
import { announcementsSection, eventsSection, importantSection } from './news-sections.ts'
import { originLine } from './origin-line.ts'
import { type HeadParts, pageHead, titleOf } from './page-head.ts'
import { masjidPath, nameIn, otherNameIn, type PublicMasjid } from './public-masjid.ts'
import type { PublicTimes } from './public-times.ts'
import { jumuahSection, nextPrayer, todaySection } from './today-section.ts'

export interface MasjidPageParts extends HeadParts {
  readonly times: PublicTimes
  readonly month: string
}

const header = (view: View, { masjid, times }: MasjidPageParts): Html => {
  const other = otherNameIn(view.language, masjid)
  const [first] = times.day.times
  return html`<header class="masjid-head"><h1><bdi>${nameIn(view.language, masjid)}</bdi></h1>
${other !== null && html`<p class="other-name"><bdi>${other}</bdi></p>`}<p class="soft"><bdi>${[masjid.city, masjid.state].filter(part => part !== null).join(', ')}</bdi></p>
<p><time datetime="${times.today}">${dateWords(view.language, times.today, 'full')}</time>${first !== undefined && html` · ${hijriWords(view.language, view.texts, first)}`}</p></header>`
}

const unverifiedNotice = ({ texts }: View, { verification, slug }: PublicMasjid): Html =>
  verification === 'verified'
    ? nothing
    : notice({
        tone: 'warn',
        text: html`${texts.masjidPage.unverified} <a class="no-print" href="/staff/claim?${new URLSearchParams({ q: slug.replaceAll('-', ' ') }).toString()}" rel="nofollow">${texts.masjidPage.yours}</a>`,
      })

const monthHref =
  (view: View, { masjid, languageAsked }: MasjidPageParts) =>
  (month: string): string =>
    `${masjidPath(masjid)}?${new URLSearchParams({ ...(languageAsked ? { lang: view.language } : {}), month })}`

const sections = (view: View, parts: MasjidPageParts, clock: ClockCycle): Html => {
  const { masjid, times, month } = parts
  const today = { times, clock }
  return html`<div class="masjid-columns"><div>${nextPrayer(view, today)}${todaySection(view, today)}${jumuahSection(view, today)}${calendarSection(view, masjid, parts.baseUrl)}</div>
<div>${announcementsSection(view, masjid)}${eventsSection(view, { masjid, clock, languageAsked: parts.languageAsked })}${aboutSection(view, masjid)}</div></div>
${monthSection(view, { month, today: times.today, days: times.month, clock, href: monthHref(view, parts), name: nameIn(view.language, masjid) })}
<p class="no-print"><a href="/docs/public-page#the-widget">${view.texts.masjidPage.embed}</a></p>
${originLine(view, masjid)}`
}

export const masjidPage = (view: View, parts: MasjidPageParts): Html => {
  const { masjid, times } = parts
  return page(view, {
    title: titleOf(view, masjid),
    head: html`${pageHead(view, parts)}<script src="${stayCurrent.path}" defer></script>`,
    main: html`<article class="masjid-page" data-changes-at="${changesAt(masjid, times).toISOString()}">${header(view, parts)}${unverifiedNotice(view, masjid)}${importantSection(view, masjid)}
${sections(view, parts, clockCycleOf(masjid.country))}</article>`,
  })
}
