// A person or an app → its picture, or its first letter if it has none.
import { type Html, html } from './html.ts'
import { pictureSource } from './outside-link.ts'

const SIZE = 48

const firstLetter = (name: string): string => [...name.trim()][0]?.toLocaleUpperCase() ?? '·'

/** Beside the name, so that a screen reader need not hear it twice. */
export const avatar = (name: string, picture: string | undefined): Html => {
  const source = pictureSource(picture)
  return source === undefined
    ? html`<span class="avatar" aria-hidden="true">${firstLetter(name)}</span>`
    : html`<img class="avatar" src="${source}" alt="" width="${SIZE}" height="${SIZE}" referrerpolicy="no-referrer">`
}
