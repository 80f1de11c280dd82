// A relationship, or a function of a row that returns rows → where these rows come from.
import type { ComputedRows, Relation, Table } from '../../catalog/model.ts'
import { type Place, type PlanContext, useComputed, useTable } from './context.ts'
import { readGivenArguments } from './given-arguments.ts'
import type { Input } from './input.ts'
import type { From, Join } from './plan.ts'

export interface Related {
  readonly from: From
  readonly join: Join
}

export const planRelation = (context: PlanContext, place: Place, { target, join }: Relation): Related => ({
  from: { kind: 'table', table: useTable(context, place, target) },
  join,
})

export interface OfRow {
  readonly table: Table
  readonly computed: ComputedRows
}

/** Both its own scopes and those of the table whose rows it returns are needed. */
export const planComputedRows = (
  context: PlanContext,
  place: Place,
  { table, computed }: OfRow,
  args: Input | undefined,
): Related => ({
  from: {
    kind: 'function',
    table: useTable(context, place, computed.target),
    function: useComputed(context, table, computed).function,
    arguments: readGivenArguments(place, computed.arguments, args),
    of: computed.row,
    single: computed.single,
  },
  join: [],
})
