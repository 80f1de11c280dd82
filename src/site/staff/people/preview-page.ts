// A list compared with the members there are → what would happen with each row, before anything does.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { type ComparedRow, type Decision, decisionsFor } from '../../../people/compare-list.ts'
import { type ColumnRole, columnRoles } from '../../../people/list-columns.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { fill, fillCount, fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, notice, type Tone } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import { peoplePath } from './people-path.ts'
import { nameOf } from './person.ts'
import type { EvidenceForm } from './read-evidence.ts'

export interface PreviewParts {
  readonly masjid: StaffedMasjid
  readonly list: string
  readonly values: EvidenceForm
  readonly header: readonly string[]
  readonly columns: readonly (ColumnRole | undefined)[]
  readonly rows: readonly ComparedRow[]
  readonly decisions: ReadonlyMap<number, Decision>
  /** Of what is shown: if it differs when somebody presses "import", the preview is shown again. */
  readonly digest: string
  readonly changed?: boolean
  readonly refusal?: string
}

const kinds = ['wrong', 'doubtful', 'changed', 'new', 'same'] as const
const tones: Readonly<Record<ComparedRow['kind'], Tone>> = {
  new: 'good',
  changed: 'info',
  same: 'info',
  doubtful: 'warn',
  wrong: 'bad',
}

export const columnField = (column: number): string => `column_${column}`
export const decisionField = (line: number): string => `decide_${line}`

const columnFields = ({ texts }: View, { header, columns }: PreviewParts): Html => {
  const { importing } = texts.staffPeople
  const choices = columnRoles.map(role => ({ value: role, label: importing.roles[role] }))
  return html`<details><summary>${importing.columns}</summary><div class="filters">${header.map((heading, column) =>
    selectField({
      name: columnField(column),
      label: heading === '' ? fillText(importing.unnamed, { number: column + 1 }) : heading,
      chosen: [columns[column] ?? ''],
      choices: [{ value: '', label: importing.leaveOut }, ...choices],
    }),
  )}</div>${actions(submitButton({ text: importing.again, name: 'step', value: 'preview' }))}</details>`
}

const why = ({ texts }: View, { fault, doubt, member, changes = [], kind }: ComparedRow): Html => {
  const { importing } = texts.staffPeople
  if (fault !== undefined) return html`${importing.faults[fault]}`
  if (doubt !== undefined) return fill(importing.doubts[doubt], { name: member === undefined ? '' : nameOf(member) })
  return kind === 'changed' ? html`${changes.map(field => importing.roles[field]).join(', ')}` : nothing
}

const decision = ({ texts }: View, row: ComparedRow, chosen: Decision | undefined): Html => {
  const offered = decisionsFor(row)
  if (row.kind !== 'doubtful' || offered.length === 1) return nothing
  const { decisions, decide } = texts.staffPeople.importing
  return selectField({
    name: decisionField(row.line),
    label: fillText(decide, { name: nameOf({ ...row.person, family_name: row.person.family_name ?? null }) }),
    chosen: [chosen ?? 'skip'],
    choices: offered.map(value => ({ value, label: decisions[value] })),
  })
}

const rowEntry = (view: View, { decisions }: PreviewParts, row: ComparedRow): Html => {
  const { importing } = view.texts.staffPeople
  const { person } = row
  const reach = [person.phone, person.email].filter(text => text !== undefined)
  return html`<li class="person"><p><bdi>${nameOf({ ...person, family_name: person.family_name ?? null })}</bdi> ${badge(importing.kinds[row.kind], tones[row.kind])} <span class="soft">${fillText(importing.line, { line: row.line })}</span></p>
<p class="soft">${reach.map(text => html`<bdi dir="ltr">${text}</bdi> `)}${person.household !== undefined && html`· <bdi>${person.household}</bdi>`}</p><p>${why(view, row)}</p>${decision(view, row, decisions.get(row.line))}</li>`
}

const MOST_SHOWN = 200

const group = (view: View, parts: PreviewParts, kind: ComparedRow['kind']): Html => {
  const found = parts.rows.filter(row => row.kind === kind)
  if (found.length === 0) return nothing
  const { importing } = view.texts.staffPeople
  const open = kind === 'wrong' || kind === 'doubtful'
  // A decision that is not shown could not be taken: doubtful rows are never cut off.
  const shown = kind === 'doubtful' ? found : found.slice(0, MOST_SHOWN)
  return html`<details${open && html` open`}><summary>${importing.kinds[kind]}: ${fillCount(view.language, importing.rows, found.length)}</summary><ul class="plain-list card">${shown.map(row => rowEntry(view, parts, row))}</ul></details>`
}

export const previewPage = (view: View, parts: PreviewParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { masjid, list, values, digest, changed = false, refusal } = parts
  const { importing } = texts
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: importing.previewTitle,
    faulty: changed || refusal !== undefined,
    main: html`${changed && notice({ tone: 'warn', text: importing.changedMeanwhile })}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}
<p class="lead">${importing.previewLead}</p>${form(view, {
      action: peoplePath(masjid, 'import'),
      large: true,
      hidden: { list, digest, ...values },
      fields: html`${columnFields(view, parts)}${kinds.map(kind => group(view, parts, kind))}${actions(
        submitButton({ text: importing.publish, look: 'primary', name: 'step', value: 'publish' }),
        linkButton({ text: common.cancel, href: peoplePath(masjid, 'import') }),
      )}`,
    })}`,
  })
}
