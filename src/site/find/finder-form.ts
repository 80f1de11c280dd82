// What was looked for → the form that finds masjids: works without script; with it, also suggests, and finds by where the browser is.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { textField } from '../pieces/form.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import type { FindWishes } from './find-wishes.ts'

export const findScript: Asset = createAsset(
  'find.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./client/find.js', import.meta.url)),
)

/** Filled in by the script, while somebody types. */
const SUGGESTIONS = 'find-suggestions'

export const finderForm = (view: View, wishes?: FindWishes): Html => {
  const { finder: texts } = view.texts
  const language = view.languageParameter === 'lang' && new URL(view.here, 'http://local').searchParams.has('lang')
  const shared = { filter: true } as const
  const typed = wishes === undefined ? undefined : [wishes.name, wishes.city].filter(words => words !== '').join(' ')
  const words = textField({
    ...shared,
    name: 'q',
    id: 'find-q',
    label: texts.words,
    value: typed,
    type: 'search',
    attributes: { maxlength: 100, list: SUGGESTIONS, autocomplete: 'off' },
    below: html`<datalist id="${SUGGESTIONS}"></datalist>`,
  })
  const jumuah = textField({
    ...shared,
    name: 'jumuah',
    id: 'find-jumuah',
    label: texts.jumuah,
    value: wishes?.jumuah,
    type: 'time',
  })
  return html`<form method="get" action="/find" class="finder" role="search" aria-label="${texts.title}" data-locating="${texts.locating}" data-failed="${texts.notLocated}">
<div class="filters">${words}${jumuah}</div>
${language && html`<input type="hidden" name="lang" value="${view.language}">`}<div class="actions">${submitButton({ text: texts.find, look: 'primary' })}<button type="button" class="button" id="near-me"${attributes({ hidden: true })}>${texts.nearMe}</button></div>
<p id="near-me-status" role="status" class="soft"></p></form>`
}
