// The change log → deliveries: what concerns each endpoint between its position and the transactions that are still running.
import type { KeyEnvironment } from '../access/api-key-format.ts'
import { type AppReachRow, appReachColumns } from '../access/app-reach.ts'
import { advisoryLocks } from '../db/advisory-locks.ts'
import type { Database, Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { grantOf } from './app-grant.ts'
import { sentAgain } from './delivery.ts'
import type { Engines } from './engines.ts'
import { hearingOf, loggedName, readableTables } from './readable-tables.ts'

/** So many wait for one endpoint; what comes after them stays in the change log, which has it anyway. */
const MOST_WAITING = 200
/** An endpoint that nothing concerns is moved ahead only now and then, so that it costs no writes. */
const TRANSACTIONS_BEHIND = 500

interface FollowerRow extends AppReachRow {
  readonly id: string
  readonly environment: KeyEnvironment
  readonly tables: readonly string[]
}

/** What an endpoint may be told of now, by the names of the change log. */
interface Follower {
  readonly id: string
  readonly open: readonly string[]
  /** Tables whose rows are for some readers only. */
  readonly secured: readonly string[]
  /** Of these, those about people. */
  readonly personal: readonly string[]
  /** Null: every masjid. */
  readonly reach: readonly string[] | null
  /** Where it is told of people; null: everywhere. */
  readonly own: readonly string[] | null
}

const followerOf = (engines: Engines, row: FollowerRow): Follower => {
  const grant = grantOf(row, row.environment)
  const { model } = engines[row.environment].structures.current()
  const tables = readableTables(model, grant).filter(({ name }) => row.tables.includes(name))
  const heard = (hearing: ReturnType<typeof hearingOf>): string[] =>
    tables.filter(table => hearingOf(table) === hearing).map(loggedName)
  return {
    id: row.id,
    open: heard('everywhere'),
    secured: heard('reached'),
    personal: heard('own'),
    reach: grant.masjids === '*' ? null : grant.masjids,
    own: grant.ownMasjids === '*' ? null : grant.ownMasjids,
  }
}

const listFollowers = (queryable: Queryable): Promise<FollowerRow[]> =>
  queryable.query<FollowerRow>(sql`
    select e.id, e.environment, e.tables, ${appReachColumns}
    from minaret.webhook_endpoints e join minaret.apps a on a.id = e.app_id
    where e.state = 'enabled' and minaret.may_be_told(a, e.environment)`)

/** A log that was pruned, or a database that was restored: the app is told, and goes on with what there is. */
const tellGaps = (queryable: Queryable, ids: readonly string[]): Promise<number> =>
  queryable.run(sql`
    with lost as (
      select e.id, history.id as history, history.since, e.history <> history.id as is_restored
      from minaret.webhook_endpoints e cross join changes.history
      where e.id = any (${ids}::uuid[]) and (e.history <> history.id or e.xid < history.since)
    ), told as (
      insert into minaret.webhook_deliveries (endpoint_id, kind, position, xid, number)
      select id, 'gap', changes.cursor_at(since, 0), since, 0 from lost
    ), parted as (
      update minaret.webhook_deliveries d set xid = null, number = null
      from lost where d.endpoint_id = lost.id and lost.is_restored and d.xid is not null
    )
    update minaret.webhook_endpoints e
    set history = lost.history, xid = lost.since, number = 0, begins_after = null, due_at = least(e.due_at, now())
    from lost where e.id = lost.id`)

/**
 * Rows below the oldest running transaction are final, so nothing appears behind a position later. Positions and deliveries are
 * written by one statement: whatever happens, nothing is skipped, and nothing is added twice. What was a delivery before comes again
 * only if the position was moved back, with the same id.
 */
const addDeliveries = (queryable: Queryable, followers: readonly Follower[]): Promise<number> =>
  queryable.run(sql`
    with follower as (
      select e.id, e.xid, e.number, e.begins_after, e.masjids, wish.open, wish.secured, wish.reach, wish.personal, wish.own,
        pg_snapshot_xmin(pg_current_snapshot()) as horizon,
        greatest(${MOST_WAITING}::int - (select count(*)::int from minaret.webhook_deliveries d
          where d.endpoint_id = e.id and d.state = 'waiting' and (d.xid is null or (d.xid, d.number) <= (e.xid, e.number))), 0) as room
      from minaret.webhook_endpoints e
      join jsonb_to_recordset(${JSON.stringify(followers)}::jsonb)
        as wish (id uuid, open text[], secured text[], reach uuid[], personal text[], own uuid[]) on wish.id = e.id
      join changes.history on history.id = e.history and e.xid >= history.since
    ), found as materialized (
      select follower.id as endpoint_id, line.* from follower cross join lateral (
        select log.xid, log.id as number, log.table_name, log.masjid_id, log.key, log.kind, log.at
        from changes.log
        where log.xid >= follower.xid and (log.xid > follower.xid or log.id > follower.number)
          and log.xid < follower.horizon and log.kind <> 'structure'
          and (follower.begins_after is null or not pg_visible_in_snapshot(log.xid, follower.begins_after))
          and (log.table_name = any (follower.open) or (follower.reach is null or log.masjid_id = any (follower.reach))
            and (log.table_name = any (follower.secured) or log.table_name = any (follower.personal)
              and (follower.own is null or log.masjid_id = any (follower.own))))
          and (follower.masjids is null or log.masjid_id is null or log.masjid_id = any (follower.masjids))
        order by log.xid, log.id limit follower.room
      ) line
    ), added as (
      insert into minaret.webhook_deliveries
        (endpoint_id, kind, table_name, change, masjid_id, key, position, happened_at, xid, number)
      select endpoint_id, 'change', table_name, kind, masjid_id, key, changes.cursor_at(xid, number), at, xid, number
      from found order by xid, number
      on conflict (endpoint_id, position) where kind = 'change' do update
        set ${sentAgain}, key = excluded.key where webhook_deliveries.state <> 'waiting'
    ), moved as (
      select follower.id, follower.horizon, count(found.xid) as lines, count(found.xid) >= follower.room as is_full,
        max(found.xid) as last_xid,
        (array_agg(found.number order by found.xid desc, found.number desc))[1] as last_number
      from follower left join found on found.endpoint_id = follower.id
      group by follower.id, follower.horizon, follower.room
    )
    update minaret.webhook_endpoints e set
      xid = case when moved.is_full then moved.last_xid else moved.horizon end,
      number = case when moved.is_full then moved.last_number else 0 end,
      due_at = case when moved.lines > 0 then least(e.due_at, now()) else e.due_at end
    from moved
    where e.id = moved.id and (moved.lines > 0 or not moved.is_full
      and moved.horizon::text::bigint - e.xid::text::bigint > ${TRANSACTIONS_BEHIND})`)

/** One process at a time; another one that plans makes this one return at once. */
export const planDeliveries = (database: Database, engines: Engines): Promise<void> =>
  database.transaction(async transaction => {
    const lock = await transaction.first<{ mine: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.webhooks}) as mine`,
    )
    if (lock?.mine !== true) return
    const rows = await listFollowers(transaction)
    if (rows.length === 0) return
    await tellGaps(
      transaction,
      rows.map(({ id }) => id),
    )
    await addDeliveries(
      transaction,
      rows.map(row => followerOf(engines, row)),
    )
  })
