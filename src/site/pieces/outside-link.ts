// A URL that somebody entered → a link to it, or plain text if pages may not link to it.
import { isWebAddress } from '../../base/web-address.ts'
import { type Html, html } from './html.ts'

/** Checked again here, whoever stored it: `javascript:` in a link is a script on our page. */
export const outsideLink = (address: string): Html =>
  isWebAddress(address)
    ? html`<a href="${address}" rel="noopener noreferrer" dir="ltr">${address}</a>`
    : html`<code dir="ltr">${address}</code>`

/** Where a picture may come from: an https URL, or one of our own paths. Undefined for anything else. */
export const pictureSource = (address: string | undefined): string | undefined =>
  address !== undefined && (isWebAddress(address) || /^\/[\w.-][\w./?=&-]*$/.test(address)) ? address : undefined
