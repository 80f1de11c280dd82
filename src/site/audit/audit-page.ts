// Entries of the audit log and the filters applied → the page.
import { type AuditRow, auditActors } from '../../audit/read-audit.ts'
import { adminFrame } from '../admin/admin-frame.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { momentOf, table } from '../pieces/data.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'

/** As typed. */
export interface AuditFormValues {
  readonly action: string
  readonly user: string
  readonly app: string
  /** Who did it: a kind of actor, and the address of a person. */
  readonly actor: string
  readonly by: string
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
  const { admin } = texts
  const actors = auditActors.map(value => ({ value, label: admin.actors[value] }))
  return html`<form method="get" action="${pathOf(desk)}" class="card"><div class="filters">
${textField({ name: 'action', label: admin.auditAction, hint: admin.auditActionHint, value: values.action, filter: true })}
${textField({ name: 'user', label: admin.auditUser, value: values.user, filter: true })}
${selectField({ name: 'actor', label: admin.auditActor, chosen: [values.actor], choices: [{ value: '', label: admin.auditAnyActor }, ...actors] })}
${textField({ name: 'by', label: admin.auditBy, value: values.by, filter: true })}
${textField({ name: 'app', label: admin.auditApp, value: values.app, filter: true })}
${textField({ name: 'from', label: admin.auditFrom, value: values.from, filter: true, type: 'date' })}
${textField({ name: 'to', label: admin.auditTo, value: values.to, filter: true, type: 'date' })}
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

/** One line for each event; the rest opens below it. */
const whatOf = ({ texts }: View, row: AuditRow): Html => {
  const words = texts.auditEvents[row.action]
  const more = html`<code class="small" dir="ltr">${row.action}</code>${row.address !== null && html` <span class="soft small" dir="ltr">${row.address}</span>`}${detailOf(row)}`
  return html`<details class="audit-event"><summary>${words ?? html`<code dir="ltr">${row.action}</code>`}</summary>${more}</details>`
}

const whoOf = ({ texts }: View, { actor, actorName }: AuditRow): Html =>
  actorName === null ? html`<span class="soft">${texts.admin.actors[actor]}</span>` : html`<bdi>${actorName}</bdi>`

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
    cards: true,
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

/** Of all that the filters match, not of this page alone. */
const exportForm = (view: View, { desk, values }: AuditParts): Html => {
  if (desk !== 'admin') return nothing
  const { admin } = view.texts
  return form(view, {
    action: '/admin/audit/export',
    hidden: { ...values },
    fields: html`<p class="soft">${admin.auditExportText}</p>${submitButton({ text: admin.auditExport })}`,
  })
}

export const auditPage = (view: View, parts: AuditParts): Html => {
  const { admin } = view.texts
  const found =
    parts.rows.length === 0
      ? emptyState({ title: admin.auditEmpty, text: admin.auditEmptyText })
      : html`${auditTable(view, parts)}${olderLink(view, parts)}${exportForm(view, parts)}`
  const main = html`${filterForm(view, parts)}${found}`
  if (parts.desk === 'admin') return adminFrame(view, { section: 'audit', main })
  const heading = html`<div class="page-head"><h1>${admin.audit}</h1></div>`
  return page(view, { title: admin.audit, section: 'review', main: html`${heading}${main}` })
}
