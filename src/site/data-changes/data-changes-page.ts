// Rows of the audit trail of writing and the filters applied → the page, with its exports.
import { MOST_EXPORTED } from '../../audit/in-batches.ts'
import type { LogKey } from '../../audit/log-key.ts'
import { type WrittenRow, writtenKinds } from '../../audit/read-written-rows.ts'
import { adminFrame } from '../admin/admin-frame.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { fillText } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'
import { changeEntry } from './change-entry.ts'
import { addressOf, CHANGES_PATH, type ChangesFormValues } from './read-filters.ts'

export interface DataChangesParts {
  readonly values: ChangesFormValues
  readonly tables: readonly string[]
  readonly rows: readonly WrittenRow[]
  /** The last row on this page, if there are older ones. */
  readonly older: LogKey | undefined
}

const filterForm = ({ texts }: View, { values, tables }: DataChangesParts): Html => {
  const { admin, dataChanges } = texts
  const anything = { value: '', label: dataChanges.any }
  const known = values.table === '' || tables.includes(values.table) ? tables : [...tables, values.table]
  return html`<form method="get" action="${CHANGES_PATH}" class="card"><div class="filters">
${selectField({ name: 'table', label: dataChanges.table, chosen: [values.table], choices: [anything, ...known.map(name => ({ value: name, label: name }))] })}
${textField({ name: 'record', label: dataChanges.record, value: values.record, filter: true })}
${textField({ name: 'masjid', label: dataChanges.masjid, value: values.masjid, filter: true })}
${textField({ name: 'person', label: admin.auditUser, value: values.person, filter: true })}
${textField({ name: 'app', label: admin.auditApp, value: values.app, filter: true })}
${selectField({ name: 'kind', label: dataChanges.kind, chosen: [values.kind], choices: [anything, ...writtenKinds.map(kind => ({ value: kind, label: dataChanges.kinds[kind] }))] })}
${textField({ name: 'from', label: admin.auditFrom, value: values.from, type: 'date', filter: true })}
${textField({ name: 'to', label: admin.auditTo, value: values.to, type: 'date', filter: true })}
</div>${actions(submitButton({ text: admin.auditFilter, look: 'primary' }), linkButton({ href: CHANGES_PATH, text: admin.auditClear }))}</form>`
}

const exportForm = (view: View, { values }: DataChangesParts): Html => {
  const { dataChanges } = view.texts
  return form(view, {
    action: `${CHANGES_PATH}/export`,
    hidden: values,
    fields: html`${actions(
      submitButton({ text: dataChanges.exportCsv, name: 'format', value: 'csv' }),
      submitButton({ text: dataChanges.exportJson, name: 'format', value: 'json' }),
    )}<p class="hint">${fillText(dataChanges.exportHint, { count: MOST_EXPORTED.toLocaleString(view.language) })}</p>`,
  })
}

const olderLink = ({ texts }: View, { values, older }: DataChangesParts): Html =>
  older === undefined
    ? nothing
    : html`<p>${linkButton({ href: addressOf(values, older), text: texts.admin.auditOlder })}</p>`

export const dataChangesPage = (view: View, parts: DataChangesParts): Html => {
  const { admin, dataChanges } = view.texts
  const found =
    parts.rows.length === 0
      ? emptyState({ title: admin.auditEmpty, text: admin.auditEmptyText })
      : html`${exportForm(view, parts)}<ul class="plain-list changes">${parts.rows.map(row => changeEntry(view, row))}</ul>${olderLink(view, parts)}`
  return adminFrame(view, {
    section: 'changes',
    main: html`<p class="lead">${dataChanges.lead}</p>${filterForm(view, parts)}${found}`,
  })
}
