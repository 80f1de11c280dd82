// An address that somebody gave us → a link to it, or plain text where it is not an address that a page may link to.
import { isWebAddress } from '../../base/web-address.ts'
import { type Html, html } from './html.ts'

/** Checked again here, whoever stored it: `javascript:` in a link is a script on our page. */
export const outsideLink = (address: string): Html =>
  isWebAddress(address)
    ? html`<a href="${address}" rel="noopener noreferrer" dir="ltr">${address}</a>`
    : html`<code dir="ltr">${address}</code>`

/** Where a picture may come from: an https address, or a path of our own. Undefined for anything else. */
export const pictureSource = (address: string | undefined): string | undefined =>
  address !== undefined && (isWebAddress(address) || /^\/[\w.-][\w./?=&-]*$/.test(address)) ? address : undefined
