// What was seen before → the statement that asks what changed since; and its answer.
import { ownStatement, type TextStatement } from '../text-channel.ts'
import { isBefore, type Seen, stillKnown, unseenBy } from './snapshot.ts'

/** More than this since the last time: it is cheaper to read everything again. */
const MOST_ROWS = 20_000
/** Sent with every check of a standby, while a transaction that began before them is running. */
const MOST_KNOWN = 2000

const SNAPSHOT = 'select pg_current_snapshot()::text'

/** Index scans from a lower bound and by value: a transaction that runs for hours makes neither longer. */
const CHANGES = `with change as materialized (
  select xid, table_name, masjid_id, kind from (
    select xid, table_name, masjid_id, kind from changes.log where xid >= $1::xid8
    union all
    select xid, table_name, masjid_id, kind from changes.log where xid = any ($2::xid8[])
  ) unseen where xid <> all ($3::xid8[]) limit ${MOST_ROWS + 1})
select json_build_object(
  'snapshot', pg_current_snapshot()::text,
  'standby', pg_is_in_recovery(),
  'position', case when pg_is_in_recovery() then null else pg_current_wal_insert_lsn()::text end,
  'seconds', extract(epoch from now())::int8,
  'since', (select since::text from changes.history),
  'rows', (select count(*) from change),
  'changed', (select json_agg(json_build_array(table_name, masjids)) from (
    select table_name, array_agg(distinct masjid_id) as masjids from change group by table_name) changed),
  'heard', (select count(*) = 2 from pg_event_trigger
    where evtname in ('minaret_changes', 'minaret_changes_drop') and evtenabled = 'A'),
  'structure', (select bool_or(kind = 'structure') from change),
  'xids', case when pg_is_in_recovery() then (select json_agg(distinct xid::text) from change) end)::text`

const list = (values: readonly string[]): string => `{${values.join()}}`

/** Only the snapshot: if it is the one seen before, nothing has become visible since. Not for a standby. */
export const snapshotStatement = ownStatement('changes_snapshot', SNAPSHOT)

export const changesStatement = (seen: Seen | undefined): TextStatement => {
  const { from, running, known } = unseenBy(seen)
  return ownStatement('changes_since', CHANGES, [from, list(running), list(known)])
}

interface Answered {
  readonly snapshot: string
  readonly standby: boolean
  readonly position: string | null
  readonly seconds: number
  /** The log is complete from this transaction on; null where none is kept. */
  readonly since: string | null
  readonly rows: number
  readonly changed: readonly Changed[] | null
  readonly heard: boolean
  readonly structure: boolean | null
  readonly xids: readonly string[] | null
}

/** A table by its qualified name, such as `public.up_events`, and the masjids whose rows changed; null if they belong to none, or any. */
export type Changed = readonly [table: string, masjids: readonly (string | null)[]]

export interface Changes {
  /** What the next time starts from. */
  readonly seen: Seen
  /** Where the server is in its write-ahead log; null for a standby. */
  readonly position: string | null
  /** The database's clock. */
  readonly seconds: number
  readonly changed: readonly Changed[]
  /** Event triggers log every change of structure in its own transaction; without them it is found later. */
  readonly heard: boolean
  /** Tables, views, functions or rights changed. */
  readonly structure: boolean
  /** There was too much to follow, or the log no longer has all of it. */
  readonly overrun: boolean
}

export const readChanges = (text: string, before: Seen | undefined): Changes => {
  const { snapshot, standby, position, seconds, since, rows, changed, heard, structure, xids } = JSON.parse(
    text,
  ) as Answered
  const known = standby ? stillKnown(snapshot, [...(before?.known ?? []), ...(xids ?? [])]) : []
  return {
    seen: { snapshot, standby, known },
    position,
    seconds,
    changed: changed ?? [],
    heard,
    structure: structure === true,
    overrun: rows > MOST_ROWS || known.length > MOST_KNOWN || isBefore(before, since),
  }
}
