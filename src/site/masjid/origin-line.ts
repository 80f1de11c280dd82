// Where a masjid was imported from → the line below its page that names the directory and its licence, as the licence asks.
import type { View } from '../frame/view.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { outsideLink } from '../pieces/outside-link.ts'
import type { PublicMasjid } from './public-masjid.ts'

/** An address ends before the punctuation of the sentence it is in. */
const addresses = /(https:\/\/\S+[^\s.,;:!?)\]}>"'])/

/** Its text, with links where it has addresses. */
const linked = (text: string): Html =>
  html`<bdi>${text.split(addresses).map((part, index) => (index % 2 === 0 ? html`${part}` : outsideLink(part)))}</bdi>`

export const originLine = ({ texts }: View, { origin }: PublicMasjid): Html =>
  origin === null
    ? nothing
    : html`<p class="soft origin">${fill(texts.masjidPage.origin, { source: origin.source, licence: linked(origin.licence) })}</p>`

/** The address of the licence, if it says one. */
export const licenceAddress = (licence: string): string | undefined => addresses.exec(licence)?.[1]
