// What was looked for and found → the page of results.
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { clockCycleOf, clockWords } from '../hall/clock.ts'
import { nameOf } from '../hall/prayer-time.ts'
import { masjidPath, nameIn, otherNameIn } from '../masjid/public-masjid.ts'
import { linkButton } from '../pieces/buttons.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { badge, emptyState } from '../pieces/notices.ts'
import type { Found, FoundMasjid, FoundTime } from './find-masjids.ts'
import { type FindWishes, findPath, isSearch, radii } from './find-wishes.ts'
import { finderForm, findScript } from './finder-form.ts'

export interface FindParts {
  readonly wishes: FindWishes
  /** Undefined if nothing was asked for. */
  readonly found: Found | undefined
  readonly languageAsked: boolean
}

const languageOf = (view: View, { languageAsked }: Pick<FindParts, 'languageAsked'>): string | undefined =>
  languageAsked ? view.language : undefined

const distanceWords = ({ language, texts }: View, distance: number): Html =>
  fill(texts.finder.away, {
    distance: new Intl.NumberFormat(language, { maximumFractionDigits: distance < 10 ? 1 : 0 }).format(distance),
  })

type Clock = (local: string | null) => string

/** An iqamah is what its masjid announces; an adhan may be calculated. */
const nextWords = ({ texts }: View, next: FoundTime, clock: Clock): Html => {
  const { finder } = texts
  const prayer = nameOf(texts, next)
  if (next.iqamah_local !== null) return fill(finder.nextIqamah, { prayer, time: clock(next.iqamah_local) })
  const words = fill(finder.nextAdhan, { prayer, time: clock(next.adhan_local) })
  return html`${words}${next.source === 'calculated' && html` (${finder.calculated})`}`
}

const timesLine = (view: View, { next: [next], jumuah, country }: FoundMasjid): Html => {
  const { finder } = view.texts
  const clock: Clock = local => clockWords(view.language, local, clockCycleOf(country))
  const sessions = jumuah.map(
    ({ iqamah_local }, index) =>
      html`${index > 0 && (view.language === 'ar' ? '، ' : ', ')}<bdi>${clock(iqamah_local)}</bdi>`,
  )
  return html`<p class="soft">${next !== undefined && nextWords(view, next, clock)}${
    next !== undefined && jumuah.length > 0 && ' · '
  }${jumuah.length > 0 && fill(finder.jumuahAt, { times: html`${sessions}` })}</p>`
}

const foundLine = (view: View, masjid: FoundMasjid, language: string | undefined): Html => {
  const { distance_km: distance, verification } = masjid
  const other = otherNameIn(view.language, masjid)
  const place = [masjid.city, masjid.state, masjid.country].filter(part => part !== null).join(', ')
  return html`<li><div><h3><a href="${masjidPath(masjid)}${language !== undefined && `?lang=${language}`}"><bdi>${nameIn(view.language, masjid)}</bdi></a> ${verification !== 'verified' && badge(view.texts.finder.unverified, 'warn')}</h3>
<p>${other !== null && html`<bdi>${other}</bdi> · `}<bdi>${place}</bdi>${distance !== undefined && html` · ${distanceWords(view, distance)}`}</p>
${timesLine(view, masjid)}</div></li>`
}

export const foundList = (view: View, masjids: readonly FoundMasjid[], language: string | undefined): Html =>
  html`<ul class="plain-list card rows found">${masjids.map(masjid => foundLine(view, masjid, language))}</ul>`

const nothingFound = (view: View, parts: FindParts): Html => {
  const { finder: texts } = view.texts
  const { wishes } = parts
  const wider = wishes.near === undefined ? undefined : radii.find(radius => radius > wishes.radius)
  return emptyState({
    title: texts.none,
    text: wishes.near === undefined ? texts.noneText : fillText(texts.noneNear, { distance: wishes.radius }),
    ...(wider === undefined
      ? {}
      : {
          action: linkButton({
            href: findPath(wishes, languageOf(view, parts), { radius: wider, page: 1 }),
            text: fillText(texts.wider, { distance: wider }),
          }),
        }),
  })
}

const pageLinks = (view: View, parts: FindParts, more: boolean): Html => {
  const { previous, next } = view.texts.common
  const { page: current } = parts.wishes
  const link = (to: number, text: string): Html =>
    linkButton({ href: findPath(parts.wishes, languageOf(view, parts), { page: to }), text, size: 'small' })
  return html`${(current > 1 || more) && html`<nav class="pages" aria-label="${view.texts.common.pages}">${current > 1 && link(current - 1, previous)}${more && link(current + 1, next)}</nav>`}`
}

const results = (view: View, parts: FindParts): Html => {
  const { finder: texts } = view.texts
  const { wishes, found } = parts
  if (!isSearch(wishes) || found === undefined)
    return html`<p class="soft">${wishes.jumuah === '' ? texts.ask : texts.askForJumuah}</p>`
  if (found.masjids.length === 0) return nothingFound(view, parts)
  return html`<h2>${wishes.near === undefined ? texts.results : texts.resultsNear}</h2>
${found.similar && html`<p>${fill(texts.similarCity, { city: wishes.city })}</p>`}${foundList(view, found.masjids, languageOf(view, parts))}${pageLinks(view, parts, found.more)}`
}

export const findPage = (view: View, parts: FindParts): Html => {
  const { finder: texts } = view.texts
  return page(view, {
    title: texts.title,
    head: html`<meta name="description" content="${texts.lead}">
<meta name="robots" content="noindex, follow">
<script src="${findScript.path}" type="module"></script>`,
    main: html`<h1>${texts.title}</h1><div class="card">${finderForm(view, parts.wishes)}</div>${results(view, parts)}`,
  })
}
