// Who did what at a masjid: its audit trail, for what the visitor looks after.

import { tablesCoveredBy } from '../../../audit/covered-tables.ts'
import { readLogKey } from '../../../audit/log-key.ts'
import { readWrittenRows, type WrittenFilters, writtenKinds } from '../../../audit/read-written-rows.ts'
import { addDays, isDate } from '../../../base/civil-date.ts'
import { instantOf } from '../../../base/local-time.ts'
import { isUuid } from '../../../base/uuid.ts'
import { listCapabilities } from '../../../capabilities/capabilities.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { type Answer, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes } from '../../frame/page-routes.ts'
import { atMasjid, type StaffVisit } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { type ChangeFilters, changeFilters, changesPage } from './changes-page.ts'

const ROWS_A_PAGE = 25

const LAST_DAY = '9999-12-31'

/** Days are those of the masjid's calendar; the last one is included. */
const filtersOf = (
  values: ChangeFilters,
  tables: readonly string[],
  { id, timezone }: StaffedMasjid,
): WrittenFilters => {
  return {
    masjid: id,
    tables: tables.includes(values.table) ? [values.table] : tables,
    userId: isUuid(values.person) ? values.person : undefined,
    kind: writtenKinds.find(kind => kind === values.kind),
    from: instantOf(`${values.from}T00:00`, timezone),
    to: isDate(values.to) && values.to < LAST_DAY ? instantOf(`${addDays(values.to, 1)}T00:00`, timezone) : undefined,
  }
}

const showChanges = async ({ database }: StaffParts, { visit, masjid }: StaffVisit): Promise<Answer> => {
  const values = Object.fromEntries(
    changeFilters.map(name => [name, visit.query.text(name).slice(0, 100)]),
  ) as ChangeFilters
  const tables = await tablesCoveredBy(database, masjid.capabilities)
  const filters = filtersOf(values, tables, masjid)
  const before = readLogKey(visit.query.text('before'))
  const found = await readWrittenRows(database, { filters, before, limit: ROWS_A_PAGE + 1 })
  const rows = found.slice(0, ROWS_A_PAGE)
  const older = found.length > ROWS_A_PAGE ? rows.at(-1) : undefined
  const team = await listCapabilities(database, { masjidId: masjid.id, userId: undefined })
  return showPage(changesPage(visit.view, { masjid, values, tables, team, rows, older }))
}

export const addChangesRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  routes.getSignedIn(
    '/staff/:slug/changes',
    atMasjid(parts, here => showChanges(parts, here)),
  )
}
