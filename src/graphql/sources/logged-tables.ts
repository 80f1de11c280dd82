// The tables and functions of a plan → the tables of the change log that its result is made of, and what names the masjids.
import type { Model, Table } from '../../catalog/model.ts'
import type { Slot } from '../compile/writer.ts'
import type { Plan, Value } from '../plan/plan.ts'
import { type AdmissionStatement, admissionStatement } from './admission-statement.ts'
import type { Admitted, Masjids, Shown } from './masjids.ts'
import { noteMasjids, type TablesOfPlan } from './tables-of-plan.ts'

/** As in the plan, with places in the list of parameters instead of values. */
export interface LoggedAdmission {
  readonly kind: 'admitted'
  readonly statement: AdmissionStatement
  /** In the order of what the statement returns. */
  readonly slots: readonly number[]
}

export type MasjidPlace = number | Shown | LoggedAdmission

/** By table, as the change log names it: what names the masjids; undefined if rows of any masjid may be read. */
export type LoggedTables = ReadonlyMap<string, readonly MasjidPlace[] | undefined>

export interface Gathered {
  readonly tables: LoggedTables
  /** Views and functions that may change without a trace in the log: what they are made of is not known. */
  readonly unknown: boolean
}

export const slotOf = (slots: readonly Slot[], { source, type, encoding }: Value): number => {
  const text = JSON.stringify(source)
  return slots.findIndex(
    slot =>
      slot.kind === 'value' &&
      slot.value.type.sql === type.sql &&
      slot.value.encoding === encoding &&
      JSON.stringify(slot.value.source) === text,
  )
}

const isPlace = (place: MasjidPlace): boolean =>
  typeof place === 'number' ? place >= 0 : place.kind === 'shown' || place.slots.every(isPlace)

const admissionOf = (slots: readonly Slot[], admitted: Admitted): LoggedAdmission => ({
  kind: 'admitted',
  statement: admissionStatement(admitted),
  slots: admitted.equal.map(({ value }) => slotOf(slots, value)),
})

const placeOf = (slots: readonly Slot[], masjid: Value | Shown | Admitted): MasjidPlace => {
  if (!('kind' in masjid)) return slotOf(slots, masjid)
  return masjid.kind === 'shown' ? masjid : admissionOf(slots, masjid)
}

const placesOf = (slots: readonly Slot[], masjids: Masjids): readonly MasjidPlace[] | undefined => {
  const places = masjids?.map(masjid => placeOf(slots, masjid))
  return places?.every(isPlace) === true ? places : undefined
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
  const tables = new Map<string, readonly MasjidPlace[] | undefined>()
  let unknown = false

  for (const [table, masjids] of found) {
    const names = namesOf(model, table)
    const bound = new Set(model.sources.byMasjid.get(table.relation)?.tables)
    const places = placesOf(slots, masjids)
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
