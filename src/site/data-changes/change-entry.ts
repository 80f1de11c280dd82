// One written row → who wrote it and what it changed, old and new side by side.
import type { WrittenKind, WrittenRow } from '../../audit/read-written-rows.ts'
import type { View } from '../frame/view.ts'
import { momentOf, table } from '../pieces/data.ts'
import { type Html, type HtmlPart, html, nothing } from '../pieces/html.ts'
import { badge, type Tone } from '../pieces/notices.ts'
import { addressOf } from './read-filters.ts'

const LONGEST_SHOWN = 400
/** More columns than these are folded away. */
const MOST_OPEN = 6

const tones: Readonly<Record<WrittenKind, Tone>> = { insert: 'good', update: 'info', delete: 'bad', restore: 'warn' }

const shown = (value: unknown): Html => {
  if (value === null || value === undefined) return html`<span class="soft">null</span>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return html`<span dir="auto" class="as-typed">${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}</span>`
}

/** Personal values are not in the trail: that they changed is. */
const cellOf = (side: Readonly<Record<string, unknown>>, column: string, notShown: string): HtmlPart =>
  Object.hasOwn(side, column) ? shown(side[column]) : html`<span class="soft">${notShown}</span>`

const valuesTable = (view: View, row: WrittenRow): Html => {
  const { dataChanges } = view.texts
  const sides = [
    ...(row.old === null ? [] : [[dataChanges.before, row.old] as const]),
    ...(row.new === null ? [] : [[dataChanges.after, row.new] as const]),
  ]
  const notShown = sides.length === 2 ? dataChanges.notShown : dataChanges.hidden
  return table({
    // Regions of a page must differ in name.
    caption: `${dataChanges.values}: ${row.table} ${row.id}`,
    head: [dataChanges.column, ...sides.map(([name]) => name)],
    rows: row.columns.map(column => [
      html`<code dir="ltr">${column}</code>`,
      ...sides.map(([, side]) => cellOf(side, column, notShown)),
    ]),
  })
}

export const valuesPart = (view: View, row: WrittenRow): Html => {
  const values = valuesTable(view, row)
  if (row.columns.length <= MOST_OPEN) return values
  return html`<details><summary>${view.texts.dataChanges.values} (${row.columns.length})</summary>${values}</details>`
}

const recordPart = ({ texts }: View, { table: name, record, masjid, masjidId }: WrittenRow): Html => {
  const { dataChanges } = texts
  const link =
    record === null
      ? nothing
      : html` <a href="${addressOf({ table: name, record })}" title="${dataChanges.history}"><code dir="ltr">${record}</code></a>`
  return html`<code dir="ltr">${name}</code>${link}${
    masjidId !== null && html`<br><a href="${addressOf({ masjid: masjidId })}"><bdi>${masjid ?? masjidId}</bdi></a>`
  }`
}

const whoPart = ({ texts }: View, row: WrittenRow): Html => {
  const { dataChanges } = texts
  const person =
    row.userId !== null && html`<a href="/admin/users/${row.userId}"><bdi>${row.person ?? row.userId}</bdi></a>`
  const app = row.appId !== null && html`<a href="/review/apps/${row.appId}"><bdi>${row.app ?? row.appId}</bdi></a>`
  const right = `${dataChanges.authorities[row.authority]}${row.capability === null ? '' : ` (${row.capability})`}`
  return html`${person}${person && app && html` · `}${app}${(person || app) && html` · `}<span class="soft">${right}</span>`
}

export const changeEntry = (view: View, row: WrittenRow): Html => {
  const { dataChanges } = view.texts
  return html`<li class="card change"><div class="change-head"><p>${badge(dataChanges.kinds[row.kind], tones[row.kind])} ${recordPart(view, row)}</p>
<p>${momentOf(view, row.at)}<br>${whoPart(view, row)}${
    row.requestId !== null &&
    html`<br><span class="soft small">${dataChanges.request} <code dir="ltr">${row.requestId}</code></span>`
  }</p></div>${valuesPart(view, row)}</li>`
}
