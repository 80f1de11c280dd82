// Data on a page: tables, definition lists, dates, code to copy, pagination.
import type { Language } from '../../accounts/languages.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from './buttons.ts'
import { fill } from './fill.ts'
import { attributes, type Html, type HtmlPart, html, nothing } from './html.ts'

export interface TableParts {
  readonly caption: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly HtmlPart[])[]
  /** On a phone each row is a card, with the names of the columns beside the values. */
  readonly cards?: boolean
  /** Which columns hold numbers. */
  readonly numbers?: readonly number[]
}

/** A row that is laid out as a card is still a row to screen readers. */
const role = (cards: boolean, name: string): Html => attributes({ role: cards && name })

/** The wrapper scrolls sideways on a phone, so it must be focusable. */
export const table = ({ caption, head, rows, numbers = [], cards = false }: TableParts): Html => {
  const look = (column: number): Html => attributes({ class: numbers.includes(column) && 'number' })
  const cell = (value: HtmlPart, column: number): Html =>
    html`<td${look(column)}${role(cards, 'cell')}${attributes({ 'data-label': cards && head[column] })}>${value}</td>`
  return html`<div class="table-frame${cards && ' cards'}" role="region" aria-label="${caption}" tabindex="0"><table${role(cards, 'table')}>
<caption class="visually-hidden">${caption}</caption>
<thead><tr>${head.map((text, column) => html`<th scope="col"${look(column)}>${text}</th>`)}</tr></thead>
<tbody${role(cards, 'rowgroup')}>${rows.map(row => html`<tr${role(cards, 'row')}>${row.map(cell)}</tr>`)}</tbody>
</table></div>`
}

export const facts = (entries: readonly (readonly [string, HtmlPart])[]): Html =>
  html`<dl class="facts">${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

export const formatMoment = (language: Language, moment: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)

const formatDay = (language: Language, moment: Date): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment)

export const momentOf = (view: View, moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}" data-moment>${formatMoment(view.language, moment)} UTC</time>`

export const dayOf = (view: View, moment: Date): Html =>
  html`<time datetime="${moment.toISOString()}">${formatDay(view.language, moment)}</time>`

/** One click selects all of it; copying needs no script. A single word, such as an id, is broken where the line ends. */
export const codeBlock = (text: string, label: string): Html =>
  html`<pre class="code select-all${!/\s/.test(text) && ' one-word'}" tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>`

/** A query, or what a server answered: long ones scroll in their own box, which must be focusable. */
export const scrolledCode = (text: string): Html => html`<code class="query" dir="ltr" tabindex="0">${text}</code>`

export interface PaginationParts {
  readonly page: number
  readonly pages: number
  readonly href: (page: number) => string
}

export const pagination = (view: View, { page, pages, href }: PaginationParts): Html => {
  if (pages <= 1) return nothing
  const { previous, next, pageOf, pages: label } = view.texts.common
  const link = (target: number, text: string): Html => linkButton({ href: href(target), text, size: 'small' })
  return html`<nav class="pages" aria-label="${label}">${page > 1 && link(page - 1, previous)}
<span>${fill(pageOf, { page, pages })}</span>${page < pages && link(page + 1, next)}</nav>`
}
