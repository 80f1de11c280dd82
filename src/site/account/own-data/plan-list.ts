// What becomes of each table when an account is erased → lists in words. A table that we have no words for is named as it is.
import type { ErasurePlan, PlanLine } from '../../../own-data/erase/erasure-plan.ts'
import type { View } from '../../frame/view.ts'
import { fill } from '../../pieces/fill.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'

type Words = Readonly<Record<string, string>>

/** What holds codes, links and jobs for minutes tells people nothing; it goes with the rest. */
const unmentioned = new Set([
  'minaret.authorization_codes',
  'minaret.authorization_requests',
  'minaret.device_codes',
  'minaret.data_exports',
  'minaret.erasures',
  'minaret.sign_in_challenges',
  'public.idempotent_requests',
  'public.unpublished_gifts',
])

const line = (view: View, { reason }: PlanLine, what: string): Html => {
  const { ownData } = view.texts
  if (reason === undefined) return html`<li>${what}</li>`
  const words = (ownData.reasons as Words)[reason] ?? reason
  return html`<li>${fill(ownData.because, { what: html`<strong>${what}</strong>`, reason: html`${words}` })}</li>`
}

const list = (title: string, lines: readonly Html[]): Html =>
  lines.length === 0 ? nothing : html`<section class="card"><h2>${title}</h2><ul>${lines}</ul></section>`

export const planList = (view: View, plan: ErasurePlan): Html => {
  const { tables, columns, kept, deletedTitle, anonymisedTitle, keptTitle } = view.texts.ownData
  // In the order of the texts: what matters most to people comes first.
  const order = Object.keys(tables)
  const placeOf = ({ table }: PlanLine): number => (order.includes(table) ? order.indexOf(table) : order.length)
  const nameIn =
    (words: Words) =>
    ({ table }: PlanLine): string =>
      words[table] ?? (tables as Words)[table] ?? table
  const lines = (found: readonly PlanLine[], words: Words): Html[] =>
    found
      .filter(({ table }) => !unmentioned.has(table))
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map(one => line(view, one, nameIn(words)(one)))
  // Of the account, nothing that says anything is left: that is erasing, although its row stays.
  const [account, others] = [
    plan.anonymised.filter(({ table }) => table === 'minaret.users'),
    plan.anonymised.filter(({ table }) => table !== 'minaret.users'),
  ]
  return html`${list(deletedTitle, lines([...account, ...plan.deleted], {}))}
${list(anonymisedTitle, lines(others, columns))}
${list(keptTitle, lines(plan.kept, kept))}`
}
