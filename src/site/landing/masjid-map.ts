// The masjids of the sandbox → a map with a dot for every city, and the same as a list by country.
import type { Language } from '../../accounts/languages.ts'
import type { View } from '../frame/view.ts'
import { numberWords } from '../hall/date-words.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { landPicture } from '../pieces/map/land.ts'
import { mapSize, project } from '../pieces/map/projection.ts'
import type { MapMasjid } from './showcase.ts'
import type { LandingTexts } from './texts.ts'

const SMALLEST_DOT = 3.2

/** Its area grows with the number of masjids. */
const radiusOf = (count: number): string => (SMALLEST_DOT * Math.sqrt(count)).toFixed(1)

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const cityDot = (texts: LandingTexts, city: string, masjids: readonly MapMasjid[]): Html => {
  const { x, y } = project(
    mean(masjids.map(({ longitude }) => longitude)),
    mean(masjids.map(({ latitude }) => latitude)),
  )
  const title = fillText(texts.map.city, { city, count: masjids.length })
  return html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radiusOf(masjids.length)}"><title>${title}</title></circle>`
}

const countryName = (language: Language, code: string): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code

const countryList = ({ language }: View, countries: ReadonlyMap<string, readonly MapMasjid[]>): Html => {
  const entries = [...countries]
    .map(([code, { length }]) => ({ name: countryName(language, code), count: length }))
    .sort((left, right) => right.count - left.count || left.name.localeCompare(right.name, language))
  return html`<ul class="countries">${entries.map(({ name, count }) => html`<li>${name}: ${numberWords(language, count)}</li>`)}</ul>`
}

export const masjidMap = (view: View, texts: LandingTexts, masjids: readonly MapMasjid[]): Html => {
  const cities = [...Map.groupBy(masjids, ({ city, country }) => `${city}, ${country}`).values()]
  const countries = Map.groupBy(masjids, ({ country }) => country)
  const { width, height } = mapSize
  const counts = {
    count: numberWords(view.language, masjids.length),
    countries: numberWords(view.language, countries.size),
  }
  return html`<section class="masjid-map" aria-labelledby="map-title"><h2 id="map-title">${texts.map.title}</h2>
<p class="soft">${texts.map.lead}</p>
<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${fillText(texts.map.label, counts)}">
<image href="${landPicture.path}" width="${width}" height="${height}"/>
${cities
  .toSorted((left, right) => right.length - left.length)
  .map(ofCity => cityDot(texts, ofCity[0]?.city ?? '', ofCity))}</svg>
<details><summary>${fill(texts.map.list, counts)}</summary>${countryList(view, countries)}</details>
<p><a href="/explorer?example=near-me">${texts.map.ask}</a></p></section>`
}
