// A masjid's part of the audit trail → the page: who changed what, when, with what was there before.
import { type LogKey, writeLogKey } from '../../../audit/log-key.ts'
import { type WrittenKind, type WrittenRow, writtenKinds } from '../../../audit/read-written-rows.ts'
import type { HeldCapability } from '../../../capabilities/capabilities.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { valuesPart } from '../../data-changes/change-entry.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { fill } from '../../pieces/fill.ts'
import { textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState, type Tone } from '../../pieces/notices.ts'
import { localMomentOf } from '../local-words.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'

export const changeFilters = ['table', 'person', 'kind', 'from', 'to'] as const
export type ChangeFilters = Readonly<Record<(typeof changeFilters)[number], string>>

export interface ChangesParts {
  readonly masjid: StaffedMasjid
  readonly values: ChangeFilters
  readonly tables: readonly string[]
  readonly team: readonly HeldCapability[]
  readonly rows: readonly WrittenRow[]
  readonly older: LogKey | undefined
}

const tones: Readonly<Record<WrittenKind, Tone>> = { insert: 'good', update: 'info', delete: 'bad', restore: 'warn' }

const nameOf = ({ texts }: View, table: string): string => texts.staffChanges.tables[table] ?? table

/** What people do about themselves is told with their name only to those who look after people. */
const whoPart = (view: View, { capabilities }: StaffedMasjid, row: WrittenRow): Html => {
  const { staffChanges: texts } = view.texts
  const hidden = row.authority === 'themselves' && !capabilities.includes('people')
  const app = row.app === null ? nothing : html` ${fill(texts.throughApp, { app: row.app })}`
  if (row.userId === null) return row.app === null ? html`${texts.operator}` : app
  return hidden ? html`${texts.themselves}${app}` : html`<bdi>${row.person ?? ''}</bdi>${app}`
}

const entry = (view: View, masjid: StaffedMasjid, row: WrittenRow): Html => {
  const { kinds } = view.texts.dataChanges
  return html`<li class="card change"><p>${badge(kinds[row.kind], tones[row.kind])} <strong>${nameOf(view, row.table)}</strong> · ${whoPart(view, masjid, row)}</p>
<p class="soft">${localMomentOf(view, masjid, row.at.toISOString())}</p>${valuesPart(view, row)}</li>`
}

const filterForm = (view: View, { masjid, values, tables, team }: ChangesParts): Html => {
  const { staffChanges: texts, dataChanges } = view.texts
  const people = new Map(team.map(({ userId, name }) => [userId, name]))
  const day = (name: 'from' | 'to'): Html =>
    textField({ name, label: texts[name], value: values[name], type: 'date', filter: true })
  return html`<form method="get" action="${staffPath(masjid, 'changes')}" class="card"><div class="filters">
${selectField({ name: 'table', label: texts.what, chosen: [values.table], choices: [{ value: '', label: texts.anything }, ...tables.map(table => ({ value: table, label: nameOf(view, table) }))] })}
${selectField({ name: 'person', label: texts.who, chosen: [values.person], choices: [{ value: '', label: texts.anybody }, ...[...people].map(([value, label]) => ({ value, label }))] })}
${selectField({ name: 'kind', label: texts.kind, chosen: [values.kind], choices: [{ value: '', label: texts.anyKind }, ...writtenKinds.map(kind => ({ value: kind, label: dataChanges.kinds[kind] }))] })}
${day('from')}${day('to')}</div>${actions(submitButton({ text: texts.filter, look: 'primary' }), linkButton({ text: texts.clear, href: staffPath(masjid, 'changes') }))}</form>`
}

const olderLink = ({ texts }: View, { masjid, values, older }: ChangesParts): Html => {
  if (older === undefined) return nothing
  const query = new URLSearchParams([
    ...Object.entries(values).filter(([, value]) => value !== ''),
    ['before', writeLogKey(older)],
  ])
  return html`<p>${linkButton({ text: texts.staffChanges.older, href: `${staffPath(masjid, 'changes')}?${query}` })}</p>`
}

export const changesPage = (view: View, parts: ChangesParts): Html => {
  const { staffChanges: texts } = view.texts
  const found =
    parts.rows.length === 0
      ? emptyState({ title: texts.none, text: texts.noneText })
      : html`<ul class="plain-list changes">${parts.rows.map(row => entry(view, parts.masjid, row))}</ul>${olderLink(view, parts)}`
  return staffFrame(view, {
    masjid: parts.masjid,
    section: 'changes',
    main: html`<p class="lead">${texts.lead}</p>${filterForm(view, parts)}${found}`,
  })
}
