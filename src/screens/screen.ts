// The screens of a masjid: listed, named, set up, and ended.
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Database, Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import { endGrant } from '../oauth/grants/end-grant.ts'
import type { ScreenSettings } from './settings.ts'

export interface Screen {
  readonly id: string
  readonly masjidId: string
  readonly name: string
  readonly settings: Partial<ScreenSettings>
  readonly createdAt: Date
  readonly createdBy: string | null
  readonly seenAt: Date | null
  readonly seenAddress: string | null
  readonly seenAgent: string | null
}

const select = (condition: Sql): Sql => sql`
  select screen.id, screen.masjid_id as "masjidId", screen.name, screen.settings, screen.created_at as "createdAt",
    users.name as "createdBy", screen.seen_at as "seenAt", screen.seen_address as "seenAddress",
    screen.seen_agent as "seenAgent"
  from minaret.screens as screen join minaret.grants on grants.id = screen.grant_id
    left join minaret.users on users.id = screen.created_by
  where grants.revoked_at is null and ${condition}`

const MOST_LISTED = 200

export const listScreens = (database: Queryable, masjidId: string): Promise<Screen[]> =>
  database.query<Screen>(
    sql`${select(sql`screen.masjid_id = ${masjidId}`)} order by screen.name, screen.id limit ${MOST_LISTED}`,
  )

/** Undefined if it is another masjid's, or was ended. */
export const findScreen = (database: Queryable, masjidId: string, id: string): Promise<Screen | undefined> =>
  database.first<Screen>(select(sql`screen.id::text = ${id} and screen.masjid_id = ${masjidId}`))

export interface ScreenChange {
  readonly screen: Screen
  readonly actor: Actor
}

export const changeScreen = (
  database: Database,
  { screen, actor, name, settings }: ScreenChange & { readonly name: string; readonly settings: ScreenSettings },
): Promise<void> =>
  database.transaction(async transaction => {
    await transaction.run(sql`
      update minaret.screens set name = ${name}, settings = jsonb_strip_nulls(${JSON.stringify(settings)}::jsonb)
      where id = ${screen.id}`)
    const detail = {
      masjid_id: screen.masjidId,
      screen: name,
      ...(name === screen.name ? {} : { before: screen.name }),
    }
    await recordAudit(transaction, { action: 'screen.changed', actor, detail })
  })

/** Its next question is refused, and it goes back to showing a code. */
export const revokeScreen = (database: Database, { screen, actor }: ScreenChange): Promise<void> =>
  database.transaction(async transaction => {
    const row = await transaction.first<{ grant_id: string }>(
      sql`select grant_id from minaret.screens where id = ${screen.id}`,
    )
    if (row === undefined || !(await endGrant(transaction, row.grant_id))) return
    const detail = { masjid_id: screen.masjidId, screen: screen.name }
    await recordAudit(transaction, { action: 'screen.revoked', actor, detail })
  })

export interface ScreenHistory {
  readonly at: Date
  readonly action: string
  readonly screen: string
  readonly who: string | null
}

/** What happened to the screens of a masjid, newest first. */
export const listScreenHistory = (database: Queryable, masjidId: string): Promise<ScreenHistory[]> =>
  database.query<ScreenHistory>(sql`
    select log.at, log.action, log.detail ->> 'screen' as screen, users.name as who
    from minaret.audit_log as log left join minaret.users on users.id = log.actor_id
    where log.action in ('screen.paired', 'screen.changed', 'screen.revoked') and log.detail ->> 'masjid_id' = ${masjidId}
    order by log.at desc limit 50`)
