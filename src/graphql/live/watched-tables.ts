// The plan of a subscription → the tables whose changes may change its result, each with the masjids whose rows it can show where the
// plan proves that.
import type { Model, Table } from '../../catalog/model.ts'
import type {
  Aggregate,
  Condition,
  Expression,
  Field,
  Join,
  Order,
  Plan,
  Range,
  RootField,
  Rows,
  Value,
} from '../plan/plan.ts'

/** Values that name the masjids whose rows matter; undefined if all may. */
type Masjids = readonly Value[] | undefined

export interface WatchedTables {
  /** By their names in the change log. */
  readonly tables: ReadonlyMap<string, Masjids>
  /** It may also change without a trace in the log, for instance as time passes: it is read again from time to time. */
  readonly timely: boolean
  /** Tables that do not log their changes: it cannot be followed. */
  readonly unlogged: readonly string[]
}

const UUID = '"pg_catalog"."uuid"'

/** As the change log has it: see `changes.masjid_column_of`. */
const masjidColumnOf = (table: Table): string | undefined => {
  const name = table.relation === 'up_masjids' ? 'id' : 'masjid_id'
  return [...table.columns.values()].find(({ column, type }) => column === name && type.sql === UUID)?.column
}

type Found = Map<Table, Masjids>

/** What is named in several places is watched for all of them. */
const note = <Key>(found: Map<Key, Masjids>, key: Key, masjids: Masjids): void => {
  const known = found.has(key) ? found.get(key) : []
  found.set(key, known === undefined || masjids === undefined ? undefined : [...known, ...masjids])
}

/** What must hold for every row. */
const masjidsIn = (where: Condition | undefined, column: string | undefined): Masjids => {
  if (where === undefined || column === undefined) return undefined
  if (where.kind === 'and')
    return where.parts.reduce<Masjids>((found, part) => found ?? masjidsIn(part, column), undefined)
  if (where.kind !== 'compare' || where.left.kind !== 'column' || where.left.column.column !== column) return undefined
  return ['_eq', '_in'].includes(where.operator.name) ? [where.right] : undefined
}

const inExpression = (found: Found, expression: Expression): void => {
  if (expression.kind === 'cast') inExpression(found, expression.expression)
  if (expression.kind !== 'related' && expression.kind !== 'total') return
  note(found, expression.table, undefined)
  if (expression.kind === 'related') inExpression(found, expression.expression)
  else inCondition(found, expression.where)
}

const inCondition = (found: Found, condition: Condition | undefined): void => {
  if (condition === undefined) return
  if (condition.kind === 'and' || condition.kind === 'or') for (const part of condition.parts) inCondition(found, part)
  else if (condition.kind === 'not') inCondition(found, condition.part)
  else if (condition.kind === 'compare' || condition.kind === 'null') inExpression(found, condition.left)
  else if (condition.kind === 'exists') {
    note(found, condition.table, undefined)
    inCondition(found, condition.where)
  }
}

const inOrder = (found: Found, order: readonly Order[]): void => {
  for (const { expression } of order) inExpression(found, expression)
}

/** Returns the masjids that the rows of the range belong to. */
const inRange = (found: Found, range: Range, inherited: Masjids): Masjids => {
  const { table } = range.from
  const isTable = range.from.kind === 'table'
  const masjids = isTable ? (masjidsIn(range.where, masjidColumnOf(table)) ?? inherited) : undefined
  note(found, table, masjids)
  inCondition(found, range.where)
  inOrder(found, range.order)
  return masjids
}

/** Rows joined by their masjid belong to the same one. */
const acrossJoin = (masjids: Masjids, parent: Table, child: Table, join: Join): Masjids => {
  const [own, target] = [masjidColumnOf(parent), masjidColumnOf(child)]
  const isKept = own !== undefined && join.some(([from, to]) => from === own && to === target)
  return isKept ? masjids : undefined
}

const inField = (found: Found, field: Field, parent: Table, masjids: Masjids): void => {
  if (field.kind === 'object' || field.kind === 'array')
    inRows(found, field.rows, acrossJoin(masjids, parent, field.rows.from.table, field.join))
  else if (field.kind === 'aggregate')
    inAggregate(found, field.aggregate, acrossJoin(masjids, parent, field.aggregate.range.from.table, field.join))
}

const inRows = (found: Found, rows: Rows, inherited: Masjids): void => {
  const masjids = inRange(found, rows, inherited)
  for (const field of rows.fields) inField(found, field, rows.from.table, masjids)
}

const inAggregate = (found: Found, { range, fields }: Aggregate, inherited: Masjids): void => {
  inRange(found, range, inherited)
  for (const field of fields) if (field.kind === 'nodes') inRows(found, field.rows, inherited)
}

const inRoot = (found: Found, field: RootField): void => {
  if (field.kind === 'list' || field.kind === 'one') inRows(found, field.rows, undefined)
  else if (field.kind === 'aggregate') inAggregate(found, field.aggregate, undefined)
  else if (field.kind === 'stream') inRows(found, field.first, undefined)
}

const tablesIn = (plan: Plan): Found => {
  const found: Found = new Map()
  for (const field of plan.fields) inRoot(found, field)
  for (const table of plan.tables) if (!found.has(table)) found.set(table, undefined)
  return found
}

/** Which rows are shown, or what of them, depends on who reads. */
const isSecured = ({ rowSecurity, columns }: Table): boolean =>
  rowSecurity || [...columns.values()].some(({ exact }) => exact !== undefined)

const nameOf = ({ schema, relation }: Table): string => `${schema}.${relation}`

/**
 * What policies look up. They decide about the rows of a masjid by what is stored for that masjid: who belongs to it, and who looks
 * after what there. Whatever else they depend on is seen when the result is read again anyway.
 */
const policyTables = (model: Model, found: Found, asksWho: boolean): Found => {
  const secured = [...found].filter(([table]) => isSecured(table))
  if (secured.length === 0 && !asksWho) return new Map()
  const isProven = !asksWho && secured.every(([, masjids]) => masjids !== undefined)
  const masjids = isProven ? secured.flatMap(([, own]) => own ?? []) : undefined
  const read = [...model.tables.values()].filter(table => table.rowSecurity && table.kind === 'table')
  return new Map(read.map(table => [table, masjidColumnOf(table) === undefined ? undefined : masjids]))
}

/** The sandbox's tables change as a whole, and that is logged for each of them. */
const isLogged = ({ logged, schema }: Table): boolean => logged || schema === 'sandbox'

interface Gathered {
  readonly tables: Map<string, Masjids>
  timely: boolean
}

/** Names of a view or function that are not known make it change without a trace. */
const addSources = (gathered: Gathered, names: readonly string[] | undefined): void => {
  if (names === undefined) gathered.timely = true
  for (const name of names ?? []) note(gathered.tables, name, undefined)
}

export const watchedTables = (model: Model, plan: Plan): WatchedTables => {
  const found = tablesIn(plan)
  const policies = policyTables(model, found, plan.asksWho)
  const gathered: Gathered = { tables: new Map(), timely: policies.size > 0 }
  for (const [table, masjids] of found)
    if (table.kind === 'table') note(gathered.tables, nameOf(table), masjids)
    else addSources(gathered, model.sources.relations.get(table.relation))
  for (const name of plan.functions) addSources(gathered, model.sources.functions.get(name))
  for (const [table, masjids] of policies) note(gathered.tables, nameOf(table), masjids)
  const unlogged = [...found.keys()].filter(table => table.kind === 'table' && !isLogged(table))
  return { ...gathered, unlogged: unlogged.map(({ name }) => name) }
}
