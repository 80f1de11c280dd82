// A masjid's page → what previews and search engines read in its head. Every address is built from the configured one,
// never from the request.
import { type Language, languages } from '../../accounts/languages.ts'
import type { View } from '../frame/view.ts'
import { fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { dataScript, linkedData } from './linked-data.ts'
import { masjidPath, nameIn, type PublicMasjid } from './public-masjid.ts'

export interface HeadParts {
  readonly masjid: PublicMasjid
  readonly baseUrl: string
  /** The date at the masjid: a new day is a new picture for those who keep previews. */
  readonly today: string
  /** Whether the address says which language. */
  readonly languageAsked: boolean
}

export const PICTURE_WIDTH = 1200
export const PICTURE_HEIGHT = 630

const openGraphLocales: Readonly<Record<Language, string>> = { en: 'en_US', ar: 'ar_AR' }

export const titleOf = ({ language, texts }: View, masjid: PublicMasjid): string =>
  fillText(texts.masjidPage.title, { name: nameIn(language, masjid), city: masjid.city })

const openGraph = (view: View, { masjid, baseUrl, today }: HeadParts, url: string): Html => {
  const { language, texts } = view
  const named = { name: nameIn(language, masjid), city: masjid.city }
  const description = fillText(texts.masjidPage.description, named)
  const image = `${baseUrl}${masjidPath(masjid, '/og.png')}?lang=${language}&day=${today}`
  const property = (name: string, content: string | number): Html =>
    html`<meta property="${name}" content="${content}">\n`
  const others = languages.filter(other => other !== language)
  return html`<meta name="description" content="${description}">
${property('og:type', 'website')}${property('og:site_name', 'Minaret')}${property('og:title', titleOf(view, masjid))}${property('og:description', description)}${property('og:url', url)}${property('og:locale', openGraphLocales[language])}${others.map(other => property('og:locale:alternate', openGraphLocales[other]))}${property('og:image', image)}${property('og:image:type', 'image/png')}${property('og:image:width', PICTURE_WIDTH)}${property('og:image:height', PICTURE_HEIGHT)}${property('og:image:alt', fillText(texts.masjidPage.picture, named))}<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${titleOf(view, masjid)}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${image}">`
}

export const pageHead = (view: View, parts: HeadParts): Html => {
  const { masjid, baseUrl, languageAsked } = parts
  const bare = `${baseUrl}${masjidPath(masjid)}`
  const inLanguage = (language: Language): string => `${bare}?lang=${language}`
  const canonical = languageAsked ? inLanguage(view.language) : bare
  return html`<link rel="canonical" href="${canonical}">
${languages.map(language => html`<link rel="alternate" hreflang="${language}" href="${inLanguage(language)}">\n`)}<link rel="alternate" hreflang="x-default" href="${bare}">
<link rel="alternate" type="text/calendar" href="${masjidPath(masjid, '/prayer-times.ics')}" title="${view.texts.masjidPage.feeds['prayer-times.ics']}">
${openGraph(view, parts, canonical)}
${dataScript(linkedData(masjid, baseUrl))}
`
}
