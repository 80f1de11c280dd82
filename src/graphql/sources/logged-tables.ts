// The tables and functions of a plan → the tables of the change log that its result is made of, and the parameters that name masjids.
import type { Model, Table } from '../../catalog/model.ts'
import type { Slot } from '../compile/writer.ts'
import type { Plan, Value } from '../plan/plan.ts'
import { type Masjids, noteMasjids, type TablesOfPlan } from './tables-of-plan.ts'

/** By table, as the change log names it: places in the list of parameters; undefined if rows of any masjid may be read. */
export type LoggedTables = ReadonlyMap<string, readonly number[] | undefined>

export interface Gathered {
  readonly tables: LoggedTables
  /** Views and functions that may change without a trace in the log: what they are made of is not known. */
  readonly unknown: boolean
}

const slotOf = (slots: readonly Slot[], { source, type, encoding }: Value): number => {
  const text = JSON.stringify(source)
  return slots.findIndex(
    slot =>
      slot.kind === 'value' &&
      slot.value.type.sql === type.sql &&
      slot.value.encoding === encoding &&
      JSON.stringify(slot.value.source) === text,
  )
}

const slotsOf = (slots: readonly Slot[], masjids: Masjids): readonly number[] | undefined => {
  const places = masjids?.map(value => slotOf(slots, value))
  return places?.includes(-1) === true ? undefined : places
}

/** A table is in the log under its own name, whoever may see its rows. */
const namesOf = (
  { sources }: Pick<Model, 'sources'>,
  { kind, schema, relation }: Table,
): readonly string[] | undefined => (kind === 'table' ? [`${schema}.${relation}`] : sources.relations.get(relation))

export const loggedTables = (
  model: Pick<Model, 'sources'>,
  { found, functions, slots }: { found: TablesOfPlan; functions: Plan['functions']; slots: readonly Slot[] },
): Gathered => {
  const tables = new Map<string, readonly number[] | undefined>()
  let unknown = false

  for (const [table, masjids] of found) {
    const names = namesOf(model, table)
    const bound = new Set(model.sources.byMasjid.get(table.relation)?.tables)
    const places = slotsOf(slots, masjids)
    if (names === undefined) unknown = true
    for (const name of names ?? []) noteMasjids(tables, name, bound.has(name) ? places : undefined)
  }
  for (const name of functions) {
    const names = model.sources.functions.get(name)
    if (names === undefined) unknown = true
    for (const one of names ?? []) noteMasjids(tables, one, undefined)
  }
  return { tables, unknown }
}
