// Importing people: a list is pasted, compared with the members there are, shown, and written in one transaction.
import { createHash } from 'node:crypto'
import { type ComparedRow, compareList, type Decision, importedOf } from '../../../people/compare-list.ts'
import { findKnownMembers } from '../../../people/known-members.ts'
import { type ColumnRole, columnRoles, guessColumns } from '../../../people/list-columns.ts'
import { readList } from '../../../people/read-list.ts'
import { readCsv } from '../../../timetables/sheet/read-csv.ts'
import { SheetRefused } from '../../../timetables/sheet/sheet.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import { REFUSED } from '../form-steps.ts'
import type { StaffParts } from '../staff-parts.ts'
import { importPage } from './import-page.ts'
import { peoplePath } from './people-path.ts'
import { columnField, decisionField, type PreviewParts, previewPage } from './preview-page.ts'
import { checkEvidence, emptyEvidence, readEvidence } from './read-evidence.ts'

const IMPORT = `mutation Import($args: ua_import_members_args!) { written: ua_import_members(args: $args) { id } }`

const showImport = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> =>
  showPage(importPage(visit.view, { masjid, list: '', values: emptyEvidence }))

type Sheet = { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] }

const rowsOf = (list: string): readonly (readonly string[])[] | undefined => {
  try {
    return readCsv(list).rows
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error
    return error.reason === 'empty' ? [] : undefined
  }
}

const sheetOf = (list: string): Sheet | 'listMissing' | 'listTooLong' => {
  const found = rowsOf(list)
  if (found === undefined) return 'listTooLong'
  const [header = [], ...rows] = found
  return rows.length === 0 ? 'listMissing' : { header, rows }
}

/** As chosen on the preview; guessed the first time. */
const columnsOf = (form: FormValues, header: readonly string[]): (ColumnRole | undefined)[] =>
  form.single(columnField(0)) === undefined
    ? guessColumns(header)
    : header.map((_, column) => columnRoles.find(role => role === form.text(columnField(column))))

const decisionsOf = (form: FormValues, rows: readonly ComparedRow[]): Map<number, Decision> =>
  new Map(
    rows
      .filter(({ kind }) => kind === 'doubtful')
      .map(({ line }) => {
        const typed = form.text(decisionField(line))
        return [line, typed === 'new' || typed === 'same' ? typed : 'skip']
      }),
  )

const digestOf = (rows: readonly ComparedRow[]): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('base64url')

const write = async (parts: StaffParts, { visit, masjid }: StaffVisit, shown: PreviewParts): Promise<Answer> => {
  const people = shown.rows.flatMap(row => importedOf(row, shown.decisions.get(row.line) ?? 'skip') ?? [])
  if (people.length === 0) return redirectTo(`${peoplePath(masjid)}?done=nothingImported`)
  const args = { masjid_id: masjid.id, people, ...shown.values }
  const written = await ask(parts.graphql, visit, { query: IMPORT, variables: { args } })
  if ('refused' in written)
    return showPage(previewPage(visit.view, { ...shown, refusal: written.refused.message }), REFUSED)
  return redirectTo(`${peoplePath(masjid)}?done=imported`)
}

const acceptImport = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const { faults: faultTexts } = visit.view.texts.staffPeople
  const list = visit.form.text('list')
  const values = readEvidence(visit.form)
  const sheet = sheetOf(list)
  const faults = { ...(typeof sheet === 'string' ? { list: sheet } : {}), ...checkEvidence(values, masjid.timezone) }
  if (typeof sheet === 'string' || Object.keys(faults).length > 0) {
    const words = Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, faultTexts[fault]]))
    return showPage(importPage(visit.view, { masjid, list, values, words }), REFUSED)
  }
  const columns = columnsOf(visit.form, sheet.header)
  const rows = compareList(readList(sheet.rows, columns), await findKnownMembers(parts.database, masjid.id))
  const decisions = decisionsOf(visit.form, rows)
  const shown = { masjid, list, values, header: sheet.header, columns, rows, decisions, digest: digestOf(rows) }
  if (visit.form.text('step') !== 'publish') return showPage(previewPage(visit.view, shown))
  if (visit.form.text('digest') !== shown.digest)
    return showPage(previewPage(visit.view, { ...shown, changed: true }), REFUSED)
  return write(parts, here, shown)
}

export const addImportRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const path = '/staff/:slug/people/import'
  routes.getSignedIn(
    path,
    atMasjid(parts, here => showImport(parts, here), 'people'),
  )
  routes.postSignedIn(
    path,
    atMasjid(parts, here => acceptImport(parts, here), 'people'),
  )
}
