// A person → their entries in the audit log, newest first.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface ActivityLine {
  readonly at: Date
  readonly action: string
  readonly app: string | undefined
  readonly address: string | undefined
}

export interface Activity {
  readonly lines: readonly ActivityLine[]
  readonly pages: number
}

const LINES_PER_PAGE = 25

interface Row {
  readonly at: Date
  readonly action: string
  readonly app: string | null
  readonly address: string | null
}

export const readActivity = async (database: Queryable, userId: string, page: number): Promise<Activity> => {
  const count = await database.first<{ count: string }>(
    sql`select count(*) from minaret.audit_log where user_id = ${userId}`,
  )
  const rows = await database.query<Row>(sql`
    select audit_log.at, audit_log.action, apps.name as app, audit_log.address
    from minaret.audit_log left join minaret.apps on apps.id = audit_log.app_id
    where audit_log.user_id = ${userId}
    order by audit_log.id desc limit ${LINES_PER_PAGE} offset ${(page - 1) * LINES_PER_PAGE}`)
  return {
    pages: Math.max(1, Math.ceil(Number(count?.count ?? 0) / LINES_PER_PAGE)),
    lines: rows.map(row => ({ ...row, app: row.app ?? undefined, address: row.address ?? undefined })),
  }
}
