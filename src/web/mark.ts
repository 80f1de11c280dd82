// The mark of Minaret: a tower with its balcony, drawn in the colours of the page.
import { type Html, rawHtml } from './html.ts'

const ground = 'M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z'

const tower =
  'M16 3.1a1.05 1.05 0 0 1 .5 1.97v.98c2.5 1.75 3.6 3.2 3.6 5.05v.7h1.1a.9.9 0 0 1 .9.9v.5a.9.9 0 0 1-.9.9h-1.4v10.4h2.3' +
  'a.9.9 0 0 1 .9.9v1.1a.9.9 0 0 1-.9.9H9.9a.9.9 0 0 1-.9-.9v-1.1a.9.9 0 0 1 .9-.9h2.3V14.1h-1.4a.9.9 0 0 1-.9-.9v-.5' +
  'a.9.9 0 0 1 .9-.9h1.1v-.7c0-1.85 1.1-3.3 3.6-5.05v-.98A1.05 1.05 0 0 1 16 3.1z' +
  'M16 16.3c-1 .8-1.5 1.55-1.5 2.5v3h3v-3c0-.95-.5-1.7-1.5-2.5z'

export const mark = (size: number, className = ''): Html =>
  rawHtml(
    `<svg class="${className}" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true" focusable="false">` +
      `<path class="mark-ground" d="${ground}"/><path class="mark-tower" fill-rule="evenodd" d="${tower}"/></svg>`,
  )

/** On its own, for the browser's tab, where no style sheet reaches. */
export const markFile =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  `<path fill="#0c5a49" d="${ground}"/><path fill="#fff" fill-rule="evenodd" d="${tower}"/></svg>`
