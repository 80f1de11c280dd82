// Importing gifts: paste a table or bring a file, look at what it says, record all of it in one transaction.
import { localDateAt } from '../../../base/local-time.ts'
import { usualCurrency } from '../../../giving/giving-totals.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask, read } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { REFUSED } from '../form-steps.ts'
import { staffPath } from '../sections.ts'
import { givenList } from '../sheets/given-list.ts'
import { pastedRows } from '../sheets/pasted-rows.ts'
import type { StaffParts } from '../staff-parts.ts'
import { type Gift, KNOWN_REFERENCES, RECORD, WITHOUT_REFERENCE } from './gift.ts'
import { importPage } from './import-page.ts'
import { type ImportRow, readImport, signatureOf, stateRows } from './import-rows.ts'

const showImport = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const currency = (await usualCurrency(database, masjid.id)) ?? ''
  return showPage(importPage(visit.view, { masjid, text: '', currency, method: 'bank_transfer' }))
}

/** A list has at most a hundred rows. */
const MOST_AT_ONCE = 100

const recordedReferences = async (
  { graphql }: StaffParts,
  { visit, masjid }: StaffVisit,
  rows: readonly ImportRow[],
): Promise<ReadonlySet<string>> => {
  const references = [...new Set(rows.map(({ values }) => values?.reference ?? null))].filter(text => text !== null)
  const found = new Set<string>()
  for (let at = 0; at < references.length; at += MOST_AT_ONCE) {
    const variables = { masjid: masjid.id, references: references.slice(at, at + MOST_AT_ONCE) }
    const { known } = await read<{ known: { reference: string }[] }>(graphql, visit, {
      query: KNOWN_REFERENCES,
      variables,
    })
    for (const { reference } of known) found.add(reference)
  }
  return found
}

/** More gifts without a reference than these are not looked through. */
const MOST_PAGES = 10

const recordedSignatures = async (
  { graphql }: StaffParts,
  { visit, masjid }: StaffVisit,
  rows: readonly ImportRow[],
): Promise<ReadonlySet<string>> => {
  const moments = rows.flatMap(({ values }) => (values?.reference === null ? [values.received_at] : [])).toSorted()
  const [from, to] = [moments[0], moments.at(-1)]
  const found = new Set<string>()
  if (from === undefined || to === undefined) return found
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const variables = { masjid: masjid.id, from, to, skip: page * MOST_AT_ONCE }
    const { gifts } = await read<{ gifts: Gift[] }>(graphql, visit, { query: WITHOUT_REFERENCE, variables })
    for (const gift of gifts) found.add(signatureOf(localDateAt(new Date(gift.received_at), masjid.timezone), gift))
    if (gifts.length < MOST_AT_ONCE) break
  }
  return found
}

const acceptImport = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { form, view } = visit
  const { list: text, refused } = await givenList(parts, here, 'text')
  const [currency, method] = [form.text('currency').toUpperCase().slice(0, 3), form.text('method')]
  const shown = { masjid, text, currency, method }
  if (refused !== undefined) return showPage(importPage(view, { ...shown, refusedSheet: refused }), REFUSED)
  const around = { timezone: masjid.timezone, now: new Date(), campaigns: new Map<string, string>() }
  const imported = readImport(await pastedRows(parts, here, text), { currency, method }, around)
  if ('fault' in imported) return showPage(importPage(view, { ...shown, fault: imported.fault }), REFUSED)
  const rows = stateRows(imported.rows, {
    references: await recordedReferences(parts, here, imported.rows),
    signatures: await recordedSignatures(parts, here, imported.rows),
  })
  if (form.text('confirm') !== 'yes') return showPage(importPage(view, { ...shown, rows }))
  const wanted = rows.filter(({ state }) => state === 'new' || (state === 'twice' && form.text('twice') === 'yes'))
  const objects = wanted.map(({ values }) => ({ ...values, masjid_id: masjid.id }))
  if (objects.length === 0) return showPage(importPage(view, { ...shown, rows }), REFUSED)
  const written = await ask(parts.graphql, visit, { query: RECORD, variables: { objects } })
  if ('refused' in written)
    return showPage(importPage(view, { ...shown, rows, refusal: written.refused.message }), REFUSED)
  return redirectTo(`${staffPath(masjid, 'giving')}?done=imported`)
}

export const addImportRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const here = lookingAfter(parts, 'giving')
  routes.getSignedIn('/staff/:slug/giving/import', here(showImport))
  routes.postSignedIn('/staff/:slug/giving/import', here(acceptImport))
}
