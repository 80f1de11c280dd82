// A plan → for each logged table of which it reads rows of certain masjids only, the parameters that name these masjids. The answer
// stays true when rows of others change. What cannot be proven to be bound to a masjid is left out.
import type { MasjidRows, Model } from '../../catalog/model.ts'
import type { Slot } from '../compile/writer.ts'
import type {
  Aggregate,
  Condition,
  Connection,
  Field,
  Join,
  Plan,
  Range,
  RootField,
  Rows,
  Value,
} from '../plan/plan.ts'

/** By table, as the change log names it: places in the list of parameters. */
export type MasjidsOfPlan = ReadonlyMap<string, readonly number[]>

/** The rows that others are related to: all of them belong to the masjid that a parameter names. */
interface Holder {
  readonly column: string
  readonly slot: number
}

interface Hold {
  readonly join: Join
  readonly by: Holder | undefined
}

/** `masjid_id = $1`, and perhaps more conditions that must hold too. */
const equalTo = (condition: Condition | undefined, column: string): Value | undefined => {
  if (condition?.kind === 'and') {
    for (const part of condition.parts) {
      const value = equalTo(part, column)
      if (value !== undefined) return value
    }
    return undefined
  }
  if (condition?.kind !== 'compare' || condition.operator.name !== '_eq') return undefined
  const { left, right } = condition
  return left.kind === 'column' && left.column.column === column ? right : undefined
}

const slotOf = (slots: readonly Slot[], { source, type, encoding }: Value): number | undefined => {
  const text = JSON.stringify(source)
  const at = slots.findIndex(
    slot =>
      slot.kind === 'value' &&
      slot.value.type.sql === type.sql &&
      slot.value.encoding === encoding &&
      JSON.stringify(slot.value.source) === text,
  )
  return at < 0 ? undefined : at
}

/** Rows that are joined by the column of their masjid belong to the same one. */
const heldBy = (hold: Hold | undefined, { column }: MasjidRows): number | undefined => {
  const by = hold?.by
  if (hold === undefined || by === undefined) return undefined
  return hold.join.some(([own, target]) => own === by.column && target === column) ? by.slot : undefined
}

export const masjidsOfPlan = (
  { sources: { relations, functions, byMasjid } }: Pick<Model, 'sources'>,
  plan: Plan,
  slots: readonly Slot[],
): MasjidsOfPlan => {
  const whole = new Set<string>()
  const bound = new Map<string, Set<number>>()

  const addWhole = (tables: readonly string[] = []): void => {
    for (const table of tables) whole.add(table)
  }
  const addBound = (tables: readonly string[], slot: number): void => {
    for (const table of tables) bound.set(table, (bound.get(table) ?? new Set()).add(slot))
  }

  /** Conditions and orders may look at any row of the tables they name. */
  const readAnywhere = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('table' in part) addWhole(relations.get((part.table as { relation: string }).relation))
    for (const [name, value] of Object.entries(part)) if (name !== 'table') readAnywhere(value)
  }

  const readRange = ({ from, where, order }: Range, hold: Hold | undefined): Holder | undefined => {
    readAnywhere(where)
    readAnywhere(order)
    const { relation } = from.table
    const rows = from.kind === 'table' ? byMasjid.get(relation) : undefined
    const value = rows === undefined ? undefined : equalTo(where, rows.column)
    const slot = rows && (heldBy(hold, rows) ?? (value && slotOf(slots, value)))
    if (rows === undefined || slot === undefined) {
      addWhole(relations.get(relation))
      return undefined
    }
    addBound(rows.tables, slot)
    addWhole(relations.get(relation)?.filter(table => !rows.tables.includes(table)))
    return { column: rows.column, slot }
  }

  const readRows = (rows: Rows, hold: Hold | undefined): void => {
    const by = readRange(rows, hold)
    for (const field of rows.fields) readField(field, by)
  }

  const readAggregate = ({ range, fields }: Aggregate, hold: Hold | undefined): void => {
    readRange(range, hold)
    for (const field of fields) if (field.kind === 'nodes') readRows(field.rows, hold)
  }

  const readConnection = ({ range, fields }: Connection, hold: Hold | undefined): void => {
    readRange(range, hold)
    for (const field of fields) if (field.kind === 'edges') readAnywhere(field.fields)
  }

  const readField = (field: Field, by: Holder | undefined): void => {
    if (field.kind === 'object' || field.kind === 'array') readRows(field.rows, { join: field.join, by })
    else if (field.kind === 'aggregate') readAggregate(field.aggregate, { join: field.join, by })
    else if (field.kind === 'connection') readConnection(field.connection, { join: field.join, by })
  }

  const readRoot = (field: RootField): void => {
    if (field.kind === 'list' || field.kind === 'one') readRows(field.rows, undefined)
    else if (field.kind === 'aggregate') readAggregate(field.aggregate, undefined)
    else if (field.kind === 'connection') readConnection(field.connection, undefined)
  }

  for (const name of plan.functions) addWhole(functions.get(name))
  for (const field of plan.fields) readRoot(field)
  return new Map([...bound].filter(([table]) => !whole.has(table)).map(([table, at]) => [table, [...at]]))
}
