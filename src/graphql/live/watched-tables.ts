// The plan of a subscription → the tables whose changes may change its result, those of policies included.
import type { Model, Table } from '../../catalog/model.ts'
import type { Slot } from '../compile/writer.ts'
import type { Plan } from '../plan/plan.ts'
import { type LoggedTables, loggedTables } from '../sources/logged-tables.ts'
import { noteMasjids, type TablesOfPlan, tablesOfPlan } from '../sources/tables-of-plan.ts'

export interface WatchedTables {
  readonly tables: LoggedTables
  /** It may also change without a trace in the log, for instance as time passes: it is read again from time to time. */
  readonly timely: boolean
  /** Tables that do not log their changes: it cannot be followed. */
  readonly unlogged: readonly string[]
}

/** Which rows are shown, or what of them, depends on who reads. */
const isSecured = ({ rowSecurity, columns }: Table): boolean =>
  rowSecurity || [...columns.values()].some(({ exact }) => exact !== undefined)

/**
 * What policies look up. They decide about the rows of a masjid by what is stored for that masjid: who belongs to it, and who looks
 * after what there. Whatever else they depend on is seen when the result is read again anyway.
 */
const policyTables = ({ tables, sources }: Model, found: TablesOfPlan, asksWho: boolean): TablesOfPlan => {
  const secured = [...found].filter(([table]) => isSecured(table))
  if (secured.length === 0 && !asksWho) return new Map()
  const isProven = !asksWho && secured.every(([, masjids]) => masjids !== undefined)
  const masjids = isProven ? secured.flatMap(([, own]) => own ?? []) : undefined
  const read = [...tables.values()].filter(table => table.rowSecurity && table.kind === 'table')
  return new Map(read.map(table => [table, sources.byMasjid.has(table.relation) ? masjids : undefined]))
}

/** The sandbox's tables change as a whole, and that is logged for each of them. Nobody writes to a view. */
const isLogged = ({ kind, logged, schema, calculated }: Table): boolean =>
  kind === 'table' ? logged || schema === 'sandbox' : !calculated

export const watchedTables = (model: Model, plan: Plan, slots: readonly Slot[]): WatchedTables => {
  const named = tablesOfPlan(model.sources, plan)
  const policies = policyTables(model, named, plan.asksWho)
  const found = new Map(named)
  for (const [table, masjids] of policies) noteMasjids(found, table, masjids)
  const { tables, unknown } = loggedTables(model, { found, functions: plan.functions, slots })
  const unlogged = [...named.keys()].filter(table => !isLogged(table))
  return { tables, timely: unknown || policies.size > 0, unlogged: unlogged.map(({ name }) => name) }
}
