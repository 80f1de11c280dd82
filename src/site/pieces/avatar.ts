// A person or an app → its picture, or its first letter if it has none.
import { imageName } from '../../images/images.ts'
import { paths } from '../../oauth/discovery.ts'
import { type Html, html } from './html.ts'
import { pictureSource } from './outside-link.ts'

const SIZE = 48

const firstLetter = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '·'

/** Never from its original URL: whoever serves it there would learn who opens our pages. */
const servedByUs = (source: string): string =>
  source.startsWith('/') ? source : `${paths.pictures}/fetched/${imageName(source)}`

/** Hidden from screen readers, as the name is beside it. */
export const avatar = (name: string, picture: string | undefined): Html => {
  const source = pictureSource(picture)
  return source === undefined
    ? html`<span class="avatar" aria-hidden="true">${firstLetter(name)}</span>`
    : html`<img class="avatar" src="${servedByUs(source)}" alt="" width="${SIZE}" height="${SIZE}">`
}
