// Filters from the URL → a page of the audit log, for administrators and reviewers.
import { exportAudit } from '../../audit/export-audit.ts'
import { readLogKey, writeLogKey } from '../../audit/log-key.ts'
import { AUDIT_PAGE, type AuditFilters, auditActors, readAudit } from '../../audit/read-audit.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { actorOf, type ConsoleParts } from '../console/parts.ts'
import type { FormValues } from '../frame/form-body.ts'
import { type Answer, sendFile, showPage } from '../frame/page-reply.ts'
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
    actor: auditActors.find(actor => actor === values.actor),
    actorEmail: values.by || undefined,
    from: dayOf(values.from),
    // The end date is inclusive.
    to: to === undefined ? undefined : new Date(to.getTime() + DAY_MS),
    before: readLogKey(before),
  }
}

const readValues = (fields: Pick<FormValues, 'text'>): AuditFormValues => {
  const text = (name: string): string => fields.text(name).slice(0, 200)
  return {
    action: text('action'),
    user: text('user'),
    app: text('app'),
    actor: text('actor'),
    by: text('by'),
    from: text('from'),
    to: text('to'),
  }
}

/** Recorded before anything leaves, so that an export that breaks off is known too. */
export const sendAudit = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const values = readValues(visit.form)
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  await recordAudit(database, { action: 'audit.exported', actor: actorOf(visit), detail: given })
  return sendFile({
    name: `audit-${new Date().toISOString().slice(0, 10)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    body: exportAudit(database, filtersOf(values, '')),
  })
}

export const showAudit = async (
  { database }: ConsoleParts,
  { view, query }: SignedInVisit,
  desk: AuditParts['desk'],
): Promise<Answer> => {
  const values = readValues(query)
  const rows = await readAudit(database, filtersOf(values, query.text('before')))
  const shown = rows.slice(0, AUDIT_PAGE)
  const last = rows.length > AUDIT_PAGE ? shown.at(-1) : undefined
  const older = last === undefined ? undefined : writeLogKey(last)
  return showPage(auditPage(view, { desk, values, rows: shown, older }))
}
