// A delivery and what the app may read now → the event it is told; undefined if it may not be told any more.
import type { Grant } from '../access/grant.ts'
import type { Model, Table } from '../catalog/model.ts'
import type { ChangeKind, Delivery } from './delivery.ts'
import { loggedName, mayHear, mayRead, reaches } from './readable-tables.ts'

export interface WebhookEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly table?: string
    readonly masjid_id?: string | null
    /** The row's primary key; null if the event stands for many rows, or the app may not know which. */
    readonly key?: Readonly<Record<string, unknown>> | null
    readonly kind?: ChangeKind
    readonly position?: string | null
    /** The subject of a person's tokens. */
    readonly sub?: unknown
  }
}

/** `truncate` and `bulk` are many rows at once. */
const verbs: Readonly<Record<ChangeKind, string>> = {
  insert: 'inserted',
  update: 'updated',
  delete: 'deleted',
  truncate: 'changed',
  bulk: 'changed',
}

/** By the names of the API; a key that the API does not show is not told. */
const keyOf = ({ primaryKey }: Table, key: Delivery['key']): Record<string, unknown> | null => {
  if (key === null || primaryKey === undefined) return null
  return Object.fromEntries(primaryKey.map(({ name, column }) => [name, key[column]]))
}

/**
 * Of a table whose rows are for some readers only, an app knows single ones at masjids whose own app it is: elsewhere a key, or that
 * one row was deleted, would tell of rows that it may not see.
 */
const tellsRows = ({ rowSecurity }: Table, { ownMasjids }: Grant, masjid: string | null): boolean =>
  !rowSecurity || reaches(ownMasjids, masjid)

const changeEvent = (table: Table, grant: Grant, delivery: Delivery): WebhookEvent['data'] & { kind: ChangeKind } => {
  const { masjidId, key, position } = delivery
  const single = tellsRows(table, grant, masjidId)
  const kind = single ? (delivery.change as ChangeKind) : 'bulk'
  return { table: table.name, masjid_id: masjidId, key: single ? keyOf(table, key) : null, kind, position }
}

const findTable = ({ tables }: Model, name: string | null): Table | undefined =>
  [...tables.values()].find(table => loggedName(table) === name)

const eventOfChange = (model: Model, grant: Grant, delivery: Delivery): WebhookEvent | undefined => {
  const table = findTable(model, delivery.tableName)
  if (table === undefined || !mayRead(table, grant)) return undefined
  if (!mayHear(table, grant, delivery.masjidId)) return undefined
  const data = changeEvent(table, grant, delivery)
  return { type: `${table.name}.${verbs[data.kind]}`, timestamp: delivery.happenedAt.toISOString(), data }
}

export const eventOf = (model: Model, grant: Grant, delivery: Delivery): WebhookEvent | undefined => {
  if (delivery.kind === 'change') return eventOfChange(model, grant, delivery)
  const timestamp = delivery.happenedAt.toISOString()
  if (delivery.kind === 'person') return { type: 'person.erased', timestamp, data: { sub: delivery.key?.sub } }
  return delivery.kind === 'gap'
    ? { type: 'minaret.gap', timestamp, data: { masjid_id: delivery.masjidId, position: delivery.position } }
    : { type: 'minaret.test', timestamp, data: {} }
}
