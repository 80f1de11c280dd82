// A client_id → the scopes and masjids its app may access now; undefined unless it is approved and its owner's account is enabled.
import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { MasjidReach } from './grant.ts'
import { isScope, type Scope } from './scopes.ts'

export interface AppReach {
  readonly appId: string
  readonly clientId: string
  /** A development client: its tokens are for the sandbox. */
  readonly development: boolean
  readonly scopes: ReadonlySet<Scope>
  readonly masjids: MasjidReach
  readonly ownMasjids: MasjidReach
  /** It reaches only what is the person's own, whatever else the person may read. */
  readonly ownRows: boolean
}

export interface AppReachRow {
  readonly app_id: string
  readonly client_id: string
  readonly development: boolean
  readonly app_scopes: readonly string[]
  readonly all_masjids: boolean
  readonly own_all_masjids: boolean
  readonly masjids: readonly string[] | null
  readonly own_masjids: readonly string[] | null
  readonly own_rows: boolean
}

/** The columns of `AppReachRow`, for a statement that has `minaret.apps` as `a`. */
export const appReachColumns: Sql = sql`
  a.id as app_id, a.client_id, a.development_of is not null as development, a.scopes as app_scopes, a.own_rows, a.all_masjids,
  a.own_all_masjids,
  (select array_agg(m.masjid_id::text) from minaret.app_masjids m where m.app_id = a.id) as masjids,
  (select array_agg(m.masjid_id::text) from minaret.app_masjids m where m.app_id = a.id and m.is_own) as own_masjids`

export const toAppReach = (row: AppReachRow): AppReach => ({
  appId: row.app_id,
  clientId: row.client_id,
  development: row.development,
  scopes: new Set(row.app_scopes.filter(isScope)),
  masjids: row.all_masjids ? '*' : (row.masjids ?? []),
  ownMasjids: row.own_all_masjids ? '*' : (row.own_masjids ?? []),
  ownRows: row.own_rows,
})

export const findAppReach = async (database: Queryable, clientId: string): Promise<AppReach | undefined> => {
  const row = await database.first<AppReachRow>(sql`
    select ${appReachColumns} from minaret.apps a
    where a.client_id = ${clientId} and a.state = 'approved' and a.deleted_at is null
      and not minaret.is_held(a.owner_id)`)
  return row === undefined ? undefined : toAppReach(row)
}
