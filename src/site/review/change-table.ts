// An app's values before and after → a table of differences, with additions marked and removals struck through.
import type { AppValues } from '../../apps/app.ts'
import { type ProposedValues, valueFields } from '../../apps/changed-values.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { table } from '../pieces/data.ts'
import { type Html, html } from '../pieces/html.ts'

type Value = string | readonly string[] | null | undefined

const asList = (value: Value): readonly string[] => {
  if (value === null || value === undefined || value === '') return []
  return typeof value === 'string' ? [value] : value
}

const oldItem = (item: string, kept: boolean): Html =>
  html`<li dir="auto">${kept ? html`${item}` : html`<del>${item}</del>`}</li>`
const newItem = (item: string, known: boolean): Html =>
  html`<li dir="auto">${known ? html`${item}` : html`<ins>${item}</ins>`}</li>`

const cells = (before: Value, after: Value): readonly [Html, Html] => {
  const [old, fresh] = [asList(before), asList(after)]
  return [
    html`<ul class="plain-list">${old.map(item => oldItem(item, fresh.includes(item)))}</ul>`,
    html`<ul class="plain-list">${fresh.map(item => newItem(item, old.includes(item)))}</ul>`,
  ]
}

const logoCells = (before: Value, after: Value): readonly [Html, Html] => {
  const [old, fresh] = cells(before, after)
  const shown = (value: Value): Html[] => asList(value).map(address => avatar('', address))
  return [html`${shown(before)}${old}`, html`${shown(after)}${fresh}`]
}

export const changeTable = (view: View, before: Partial<AppValues>, after: ProposedValues): Html => {
  const { review, appForm } = view.texts
  const labels = { ...appForm, requestedScopes: appForm.scopes }
  return table({
    caption: review.changes,
    head: [review.field, review.before, review.after],
    rows: valueFields
      .filter(field => field in after)
      .map(field => {
        const cellsOf = field === 'logo' ? logoCells : cells
        return [labels[field], ...cellsOf(before[field] as Value, after[field] as Value)]
      }),
  })
}
