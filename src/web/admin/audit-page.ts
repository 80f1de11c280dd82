// Lines of the audit log and the filters that chose them → the page.
import type { AuditRow } from '../../access/read-audit.ts'
import { type Html, html } from '../html.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { momentOf, table } from '../pieces/data.ts'
import { textField } from '../pieces/form.ts'
import { emptyState } from '../pieces/notices.ts'
import type { View } from '../view.ts'
import { adminFrame } from './admin-frame.ts'

/** As it was typed. */
export interface AuditFormValues {
  readonly action: string
  readonly user: string
  readonly app: string
  readonly from: string
  readonly to: string
}

export interface AuditParts {
  readonly values: AuditFormValues
  readonly rows: readonly AuditRow[]
  /** The last line of this page, where there are older ones. */
  readonly older: string | undefined
}

const filterForm = ({ texts }: View, values: AuditFormValues): Html => {
  const { admin, common } = texts
  const { optional } = common
  return html`<form method="get" action="/admin/audit" class="card"><div class="filters">
${textField({ name: 'action', label: admin.auditAction, hint: admin.auditActionHint, value: values.action, optional })}
${textField({ name: 'user', label: admin.auditUser, value: values.user, optional })}
${textField({ name: 'app', label: admin.auditApp, value: values.app, optional })}
${textField({ name: 'from', label: admin.auditFrom, value: values.from, optional, type: 'date' })}
${textField({ name: 'to', label: admin.auditTo, value: values.to, optional, type: 'date' })}
</div>${actions(submitButton({ text: admin.auditFilter, look: 'primary' }), linkButton({ href: '/admin/audit', text: admin.auditClear }))}</form>`
}

const whatOf = ({ texts }: View, { action }: AuditRow): Html => {
  const words = texts.auditEvents[action]
  return words === undefined
    ? html`<code dir="ltr">${action}</code>`
    : html`${words}<br><code class="small" dir="ltr">${action}</code>`
}

const whoOf = ({ texts }: View, { actor, actorName }: AuditRow): Html =>
  actorName === null ? html`<span class="soft">${texts.admin.actors[actor]}</span>` : html`<bdi>${actorName}</bdi>`

const whomOf = ({ userId, userName, appId, appName }: AuditRow): Html =>
  html`${
    userId !== null && html`<a href="/admin/users/${userId}"><bdi>${userName ?? userId}</bdi></a> `
  }${appId !== null && html`<a href="/review/apps/${appId}"><bdi>${appName ?? appId}</bdi></a>`}`

const detailOf = ({ detail }: AuditRow): Html => {
  const text = Object.keys(detail).length === 0 ? '' : JSON.stringify(detail)
  return html`<code class="query" dir="ltr">${text}</code>`
}

const auditTable = (view: View, rows: readonly AuditRow[]): Html => {
  const { admin } = view.texts
  return table({
    caption: admin.audit,
    head: [admin.auditTime, admin.auditWhat, admin.auditWho, admin.auditWhom, admin.auditWhere, admin.auditDetail],
    rows: rows.map(row => [
      momentOf(view, row.at),
      whatOf(view, row),
      whoOf(view, row),
      whomOf(row),
      html`<span dir="ltr">${row.address ?? ''}</span>`,
      detailOf(row),
    ]),
  })
}

const olderLink = ({ texts }: View, { values, older }: AuditParts): Html => {
  if (older === undefined) return html``
  const query = new URLSearchParams({ ...values, before: older })
  return html`<p>${linkButton({ href: `/admin/audit?${query}`, text: texts.admin.auditOlder })}</p>`
}

export const auditPage = (view: View, parts: AuditParts): Html => {
  const { admin } = view.texts
  const found =
    parts.rows.length === 0
      ? emptyState({ title: admin.auditEmpty, text: admin.auditEmptyText })
      : html`${auditTable(view, parts.rows)}${olderLink(view, parts)}`
  return adminFrame(view, { section: 'audit', main: html`${filterForm(view, parts.values)}${found}` })
}
