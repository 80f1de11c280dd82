// Importing people: a list is pasted or comes as a file, is compared with the members there are, shown, and written in one transaction.
import { createHash } from 'node:crypto'
import { type ComparedRow, type Decision, importedOf } from '../../../people/compare-list.ts'
import { findKnownMembers } from '../../../people/known-members.ts'
import { type ColumnRole, columnRoles, guessColumns } from '../../../people/list-columns.ts'
import { findTable, type Table } from '../../../sheets/find-table.ts'
import { SheetRefused } from '../../../sheets/sheet.ts'
import type { PeopleInput } from '../../../timetables/reading/reading-tasks.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { ask } from '../ask.ts'
import { lookingAfter, type StaffVisit } from '../at-masjid.ts'
import { faultWords } from '../fault-words.ts'
import { REFUSED } from '../form-steps.ts'
import { type GivenList, givenList } from '../sheets/given-list.ts'
import { type PastedRows, pastedRows } from '../sheets/pasted-rows.ts'
import { SHEET_FIELD } from '../sheets/sheet-field.ts'
import type { StaffParts } from '../staff-parts.ts'
import { importPage } from './import-page.ts'
import { peoplePath } from './people-path.ts'
import { columnField, decisionField, type PreviewParts, previewPage } from './preview-page.ts'
import { checkEvidence, type EvidenceForm, emptyEvidence, readEvidence } from './read-evidence.ts'

const IMPORT = `mutation Import($args: ua_import_members_args!) { written: ua_import_members(args: $args) { id } }`

const showImport = async (_: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> =>
  showPage(importPage(visit.view, { masjid, list: '', values: emptyEvidence }))

/** A title stands in a cell of its own; everything else is never taken for one, so that nobody is left out. */
const isNoTitle = (row: readonly string[]): boolean =>
  row.filter(cell => cell !== '').length > 1 || guessColumns(row).some(role => role !== undefined)

const tableOf = (pasted: PastedRows): Table | 'listMissing' | 'listTooLong' => {
  if ('refused' in pasted) return pasted.refused === 'empty' ? 'listMissing' : 'listTooLong'
  const table = findTable(pasted.rows, isNoTitle)
  return table.rows.length === 0 ? 'listMissing' : table
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

type Words = Readonly<Record<string, string>>

const listFaults = ({ view: { texts } }: SignedInVisit, { refused }: GivenList, table: Table | string): Words => {
  const { faults } = texts.staffPeople
  if (refused !== undefined) return { [SHEET_FIELD]: texts.staff.sheets.refused[refused] }
  return table === 'listMissing' || table === 'listTooLong' ? { list: faults[table] } : {}
}

const evidenceFaults = ({ visit, masjid }: StaffVisit, values: EvidenceForm): Words => {
  const { faults } = visit.view.texts.staffPeople
  return faultWords(faults, checkEvidence(values, masjid.timezone))
}

/** Undefined if it takes too long. */
const compared = async (
  { database, sheets }: StaffParts,
  { masjid }: StaffVisit,
  list: Pick<PeopleInput, 'rows' | 'columns'>,
): Promise<readonly ComparedRow[] | undefined> => {
  try {
    return await sheets.of(masjid.id).people({ ...list, known: await findKnownMembers(database, masjid.id) })
  } catch (error) {
    if (error instanceof SheetRefused) return undefined
    throw error
  }
}

const acceptImport = async (parts: StaffParts, here: StaffVisit): Promise<Answer> => {
  const { visit, masjid } = here
  const given = await givenList(parts, here, 'list')
  const { list } = given
  const values = readEvidence(visit.form)
  const table = tableOf(await pastedRows(parts, here, list))
  const words = { ...listFaults(visit, given, table), ...evidenceFaults(here, values) }
  if (typeof table === 'string' || Object.keys(words).length > 0)
    return showPage(importPage(visit.view, { masjid, list, values, words }), REFUSED)
  const columns = columnsOf(visit.form, table.header)
  const rows = await compared(parts, here, { rows: table.rows, columns })
  if (rows === undefined) {
    const { too_costly: list } = visit.view.texts.staff.sheets.refused
    return showPage(importPage(visit.view, { masjid, list: given.list, values, words: { list } }), REFUSED)
  }
  const decisions = decisionsOf(visit.form, rows)
  const shown = { masjid, list, values, header: table.header, columns, rows, decisions, digest: digestOf(rows) }
  if (visit.form.text('step') !== 'publish') return showPage(previewPage(visit.view, shown))
  if (visit.form.text('digest') !== shown.digest)
    return showPage(previewPage(visit.view, { ...shown, changed: true }), REFUSED)
  return write(parts, here, shown)
}

export const addImportRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const path = '/staff/:slug/people/import'
  const here = lookingAfter(parts, 'people')
  routes.getSignedIn(path, here(showImport))
  routes.postSignedIn(path, here(acceptImport))
}
