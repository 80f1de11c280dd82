// Filters → the audit log as CSV, one line for each event, written piece by piece.
import { type Cell, writeCsvRow } from '../base/csv-text.ts'
import type { Queryable } from '../db/database.ts'
import { inBatches } from './in-batches.ts'
import { type AuditFilters, type AuditRow, readAudit } from './read-audit.ts'

const columns: readonly (readonly [string, (row: AuditRow) => Cell])[] = [
  ['at', row => row.at],
  ['action', row => row.action],
  ['actor', row => row.actor],
  ['actor_name', row => row.actorName],
  ['user_id', row => row.userId],
  ['user_name', row => row.userName],
  ['app_id', row => row.appId],
  ['app_name', row => row.appName],
  ['address', row => row.address],
  ['detail', row => JSON.stringify(row.detail)],
]

export async function* exportAudit(
  queryable: Queryable,
  filters: Omit<AuditFilters, 'before'>,
): AsyncGenerator<string> {
  yield writeCsvRow(columns.map(([name]) => name))
  const read = (before: AuditFilters['before'], limit: number) => readAudit(queryable, { ...filters, before }, limit)
  for await (const rows of inBatches(read)) {
    yield rows.map(row => writeCsvRow(columns.map(([, cell]) => cell(row)))).join('')
  }
}
