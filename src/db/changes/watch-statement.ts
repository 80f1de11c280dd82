// What was seen before → the statement that asks which tables and masjids changed since; and its answer.
import type { TextStatement } from '../text-channel.ts'
import { type Seen, unseenBy } from './snapshot.ts'

/** More than this since the last time: it is cheaper to read everything again. */
const MOST_ROWS = 20_000

/** Index scans from a lower bound and by value: a transaction that runs for hours makes neither longer. */
const WATCHED = `with change as materialized (
  select table_name, masjid_id, kind from changes.log where xid >= $1::xid8
  union all
  select table_name, masjid_id, kind from changes.log where xid = any ($2::xid8[])
  limit ${MOST_ROWS + 1})
select json_build_object(
  'snapshot', pg_current_snapshot()::text,
  'position', case when pg_is_in_recovery() then null else pg_current_wal_insert_lsn()::text end,
  'seconds', extract(epoch from now())::int8,
  'overrun', (select count(*) from change) > ${MOST_ROWS},
  'structure', exists (select from change where kind = 'structure'),
  'changed', (select coalesce(json_agg(json_build_array(table_name, masjids)), '[]') from (
    select table_name, array_agg(distinct masjid_id) as masjids from change group by table_name) changed))::text`

export interface WatchedChanges {
  readonly snapshot: string
  readonly position: string | null
  /** The database's clock. */
  readonly seconds: number
  /** There was too much to follow. */
  readonly overrun: boolean
  /** Tables, views, functions or rights changed. */
  readonly structure: boolean
  /** Qualified names, such as `public.up_events`, and whose rows changed; null: of no masjid, or unknown. */
  readonly changed: readonly (readonly [table: string, masjids: readonly (string | null)[]])[]
}

export const watchStatement = (seen: Seen | undefined): TextStatement => {
  const { from, running } = unseenBy(seen)
  return {
    text: WATCHED,
    name: 'changes_watched',
    values: [from, `{${running.join()}}`],
    none: '',
    prepare: true,
    settings: undefined,
  }
}

export const readWatched = (text: string): WatchedChanges => JSON.parse(text) as WatchedChanges
