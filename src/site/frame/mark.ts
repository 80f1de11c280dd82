// The logo: a tower with its balcony, drawn in the colours of the page.
import { type Html, rawHtml } from '../pieces/html.ts'

const ground = 'M8 0h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H8a8 8 0 0 1-8-8V8a8 8 0 0 1 8-8z'

const tower =
  // The crescent, the cap, the lantern under it, the balcony, the shaft with a window, the base.
  'M16.75 1.9a1.7 1.7 0 1 0 .95 2.25 1.3 1.3 0 1 1-.95-2.25z' +
  'M16 5.3c2 1.5 3.02 2.75 3.02 4.4H12.98c0-1.65 1.02-2.9 3.02-4.4z' +
  'M13.5 10.5h1.25v2.2H13.5zM15.4 10.5h1.2v2.2h-1.2zM17.25 10.5h1.25v2.2h-1.25z' +
  'M11.9 13.4h8.2a.8.8 0 0 1 .8.8v.3a.8.8 0 0 1-.8.8h-8.2a.8.8 0 0 1-.8-.8v-.3a.8.8 0 0 1 .8-.8z' +
  'M12.9 16.1h6.2l.5 9.5h-7.2zM16 18.1c-.85.7-1.25 1.35-1.25 2.15v2.55h2.5v-2.55c0-.8-.4-1.45-1.25-2.15z' +
  'M11 26.4h10a.85.85 0 0 1 .85.85v.6a.85.85 0 0 1-.85.85H11a.85.85 0 0 1-.85-.85v-.6a.85.85 0 0 1 .85-.85z'

export const mark = (size: number, className = ''): Html =>
  rawHtml(
    `<svg class="${className}" width="${size}" height="${size}" viewBox="0 0 32 32" aria-hidden="true" focusable="false">` +
      `<path class="mark-ground" d="${ground}"/><path class="mark-tower" fill-rule="evenodd" d="${tower}"/></svg>`,
  )

/** Standalone, for the browser tab, where no style sheet applies. */
export const markFile =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
  `<path fill="#0c5a49" d="${ground}"/><path fill="#fff" fill-rule="evenodd" d="${tower}"/></svg>`
