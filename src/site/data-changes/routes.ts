// The audit trail of writing for administrators: pages by filters, and exports that are themselves recorded.

import { type ExportFormat, exportWrittenRows } from '../../audit/export-written-rows.ts'
import { readLogKey } from '../../audit/log-key.ts'
import { listWrittenTables, readWrittenRows } from '../../audit/read-written-rows.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { actorOf, type ConsoleParts } from '../console/parts.ts'
import { type Answer, sendFile, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { administering } from '../frame/rights.ts'
import { dataChangesPage } from './data-changes-page.ts'
import { CHANGES_PATH, filtersOf, readValues } from './read-filters.ts'

const ROWS_A_PAGE = 25

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const showChanges = async ({ database }: ConsoleParts, { view, query }: SignedInVisit): Promise<Answer> => {
  const values = readValues(query)
  const before = readLogKey(query.text('before'))
  const found = await readWrittenRows(database, { filters: filtersOf(values), before, limit: ROWS_A_PAGE + 1 })
  const rows = found.slice(0, ROWS_A_PAGE)
  const older = found.length > ROWS_A_PAGE ? rows.at(-1) : undefined
  return showPage(dataChangesPage(view, { values, tables: await listWrittenTables(database), rows, older }))
}

/** Recorded before anything leaves, so that an export that breaks off is known too. */
const exportChanges = async ({ database }: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const values = readValues(visit.form)
  const format = visit.form.text('format') === 'json' ? 'json' : 'csv'
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
  await recordAudit(database, { action: 'data.exported', actor: actorOf(visit), detail: { format, ...given } })
  const day = new Date().toISOString().slice(0, 10)
  return sendFile({
    name: `data-changes-${day}.${format}`,
    contentType: contentTypes[format],
    body: exportWrittenRows(database, filtersOf(values), format),
  })
}

export const addDataChangesRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    CHANGES_PATH,
    administering(visit => showChanges(parts, visit)),
  )
  routes.postSignedIn(
    `${CHANGES_PATH}/export`,
    administering(visit => exportChanges(parts, visit)),
  )
}
