// Entries of the audit log and the filters applied → the page.
import type { AuditRow } from '../../audit/read-audit.ts'
import { adminFrame } from '../admin/admin-frame.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { momentOf, table } from '../pieces/data.ts'
import { textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'

/** As typed. */
export interface AuditFormValues {
  readonly action: string
  readonly user: string
  readonly app: string
  readonly from: string
  readonly to: string
}

export interface AuditParts {
  /** Reviewers read the log too, but have no pages about people. */
  readonly desk: 'admin' | 'review'
  readonly values: AuditFormValues
  readonly rows: readonly AuditRow[]
  /** The last entry on this page, if there are older ones. */
  readonly older: string | undefined
}

const pathOf = (desk: AuditParts['desk']): string => `/${desk}/audit`

const filterForm = ({ texts }: View, { desk, values }: AuditParts): Html => {
  const { admin, common } = texts
  const { optional } = common
  return html`<form method="get" action="${pathOf(desk)}" class="card"><div class="filters">
${textField({ name: 'action', label: admin.auditAction, hint: admin.auditActionHint, value: values.action, optional })}
${textField({ name: 'user', label: admin.auditUser, value: values.user, optional })}
${textField({ name: 'app', label: admin.auditApp, value: values.app, optional })}
${textField({ name: 'from', label: admin.auditFrom, value: values.from, optional, type: 'date' })}
${textField({ name: 'to', label: admin.auditTo, value: values.to, optional, type: 'date' })}
</div>${actions(submitButton({ text: admin.auditFilter, look: 'primary' }), linkButton({ href: pathOf(desk), text: admin.auditClear }))}</form>`
}

const shown = (value: unknown): string => {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(shown).join(', ') : JSON.stringify(value)
}

const detailOf = ({ detail }: AuditRow): Html => {
  const lines = Object.entries(detail).map(([name, value]) => `${name}: ${shown(value)}`)
  return lines.length === 0 ? nothing : html`<code class="detail small" dir="ltr">${lines.join('\n')}</code>`
}

const whatOf = ({ texts }: View, row: AuditRow): Html => {
  const words = texts.auditEvents[row.action]
  return html`${words !== undefined && html`${words}<br>`}<code class="small" dir="ltr">${row.action}</code>${detailOf(row)}`
}

const whoOf = ({ texts }: View, { actor, actorName, address }: AuditRow): Html => {
  const name =
    actorName === null ? html`<span class="soft">${texts.admin.actors[actor]}</span>` : html`<bdi>${actorName}</bdi>`
  return address === null ? name : html`${name}<br><span class="soft small" dir="ltr">${address}</span>`
}

const userOf = (desk: AuditParts['desk'], { userId, userName }: AuditRow): Html => {
  if (userId === null) return nothing
  const name = html`<bdi>${userName ?? userId}</bdi>`
  return desk === 'admin' ? html`<a href="/admin/users/${userId}">${name}</a>` : name
}

const appOf = ({ appId, appName }: AuditRow): Html =>
  appId === null ? nothing : html`<a href="/review/apps/${appId}"><bdi>${appName ?? appId}</bdi></a>`

const auditTable = (view: View, { desk, rows }: AuditParts): Html => {
  const { admin } = view.texts
  return table({
    caption: admin.audit,
    head: [admin.auditTime, admin.auditWhat, admin.auditWho, admin.auditWhom],
    rows: rows.map(row => [
      momentOf(view, row.at),
      whatOf(view, row),
      whoOf(view, row),
      html`${userOf(desk, row)} ${appOf(row)}`,
    ]),
  })
}

const olderLink = ({ texts }: View, { desk, values, older }: AuditParts): Html => {
  if (older === undefined) return nothing
  const query = new URLSearchParams({ ...values, before: older })
  return html`<p>${linkButton({ href: `${pathOf(desk)}?${query}`, text: texts.admin.auditOlder })}</p>`
}

export const auditPage = (view: View, parts: AuditParts): Html => {
  const { admin } = view.texts
  const found =
    parts.rows.length === 0
      ? emptyState({ title: admin.auditEmpty, text: admin.auditEmptyText })
      : html`${auditTable(view, parts)}${olderLink(view, parts)}`
  const main = html`${filterForm(view, parts)}${found}`
  if (parts.desk === 'admin') return adminFrame(view, { section: 'audit', main })
  const heading = html`<div class="page-head"><h1>${admin.audit}</h1></div>`
  return page(view, { title: admin.audit, section: 'review', main: html`${heading}${main}` })
}
