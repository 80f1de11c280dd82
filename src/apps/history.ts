// Every state change of an app, oldest first: from, to, who, when and why.
import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface AppMove {
  readonly fromState: string | null
  readonly toState: string
  readonly movedBy: string | null
  readonly movedAt: Date
  readonly reason: string | null
  /** The app's values at that moment, by column name. */
  readonly snapshot: Readonly<Record<string, unknown>>
}

export const listMoves = (queryable: Queryable, appId: string): Promise<AppMove[]> =>
  queryable.query<AppMove>(sql`
    select m.from_state as "fromState", m.to_state as "toState", u.name as "movedBy", m.moved_at as "movedAt",
      m.reason, m.snapshot
    from minaret.app_moves m left join minaret.users u on u.id = m.moved_by
    where m.app_id = ${appId} order by m.id`)
