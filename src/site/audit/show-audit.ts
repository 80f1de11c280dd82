// Filters from the URL → a page of the audit log, for administrators and reviewers.
import { readLogKey, writeLogKey } from '../../audit/log-key.ts'
import { AUDIT_PAGE, type AuditFilters, readAudit } from '../../audit/read-audit.ts'
import type { ConsoleParts } from '../console/parts.ts'
import { type Answer, showPage } from '../frame/page-reply.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'
import { type AuditFormValues, type AuditParts, auditPage } from './audit-page.ts'

const DAY_MS = 86_400_000

const dayOf = (text: string): Date | undefined => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : day
}

const filtersOf = (values: AuditFormValues, before: string): AuditFilters => {
  const to = dayOf(values.to)
  return {
    action: values.action || undefined,
    userEmail: values.user || undefined,
    app: values.app || undefined,
    from: dayOf(values.from),
    // The end date is inclusive.
    to: to === undefined ? undefined : new Date(to.getTime() + DAY_MS),
    before: readLogKey(before),
  }
}

export const showAudit = async (
  { database }: ConsoleParts,
  { view, query }: SignedInVisit,
  desk: AuditParts['desk'],
): Promise<Answer> => {
  const text = (name: string): string => query.text(name).slice(0, 200)
  const values = { action: text('action'), user: text('user'), app: text('app'), from: text('from'), to: text('to') }
  const rows = await readAudit(database, filtersOf(values, query.text('before')))
  const shown = rows.slice(0, AUDIT_PAGE)
  const last = rows.length > AUDIT_PAGE ? shown.at(-1) : undefined
  const older = last === undefined ? undefined : writeLogKey(last)
  return showPage(auditPage(view, { desk, values, rows: shown, older }))
}
