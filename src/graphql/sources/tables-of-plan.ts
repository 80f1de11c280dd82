// A plan → every table and view it reads, each with what names the masjids whose rows it can read, where the plan proves that.
import type { Sources, Table } from '../../catalog/model.ts'
import type {
  Aggregate,
  Condition,
  Connection,
  Expression,
  Field,
  Join,
  Order,
  Plan,
  Range,
  RootField,
  Rows,
} from '../plan/plan.ts'
import { admittedTo } from './admitted.ts'
import type { Masjids, Shown } from './masjids.ts'

export type TablesOfPlan = ReadonlyMap<Table, Masjids>

/** What is read in several places is noted for all of them. */
export const noteMasjids = <Key, Item>(
  found: Map<Key, readonly Item[] | undefined>,
  key: Key,
  masjids: readonly Item[] | undefined,
): void => {
  const known = found.has(key) ? found.get(key) : []
  found.set(key, known === undefined || masjids === undefined ? undefined : [...new Set([...known, ...masjids])])
}

/** `masjid_id = $1`, or in a list, and perhaps more conditions that must hold too. */
const masjidsIn = (where: Condition | undefined, column: string): Masjids => {
  if (where?.kind === 'and')
    return where.parts.reduce<Masjids>((found, part) => found ?? masjidsIn(part, column), undefined)
  if (where?.kind !== 'compare' || where.left.kind !== 'column' || where.left.column.column !== column) return undefined
  return ['_eq', '_in'].includes(where.operator.name) ? [where.right] : undefined
}

export const tablesOfPlan = (
  { byMasjid }: Pick<Sources, 'byMasjid'>,
  plan: Plan,
  { answerIsKnown = false } = {},
): TablesOfPlan => {
  const found = new Map<Table, Masjids>()

  const columnOf = ({ relation }: Table): string | undefined => byMasjid.get(relation)?.column

  /** Conditions and orders may look at any row of the tables they name. */
  const inExpression = (expression: Expression): void => {
    if (expression.kind === 'cast') inExpression(expression.expression)
    if (expression.kind !== 'related' && expression.kind !== 'total') return
    noteMasjids(found, expression.from.table, undefined)
    if (expression.kind === 'related') inExpression(expression.expression)
    else inCondition(expression.where)
  }

  const inCondition = (condition: Condition | undefined): void => {
    if (condition === undefined) return
    if (condition.kind === 'and' || condition.kind === 'or') for (const part of condition.parts) inCondition(part)
    else if (condition.kind === 'not') inCondition(condition.part)
    else if (condition.kind === 'compare' || condition.kind === 'null') inExpression(condition.left)
    else if (condition.kind === 'exists') {
      noteMasjids(found, condition.from.table, undefined)
      inCondition(condition.where)
    }
  }

  const inOrder = (order: readonly Order[]): void => {
    for (const { expression } of order) inExpression(expression)
  }

  const columnIn = ({ from }: Range): string | undefined => (from.kind === 'table' ? columnOf(from.table) : undefined)

  const noteRange = ({ from, where, order }: Range, masjids: Masjids): void => {
    noteMasjids(found, from.table, masjids)
    inCondition(where)
    inOrder(order)
  }

  /** Returns the masjids that the rows of the range belong to. */
  const inRange = (range: Range, inherited: Masjids): Masjids => {
    const column = columnIn(range)
    const masjids = column === undefined ? undefined : (masjidsIn(range.where, column) ?? inherited)
    noteRange(range, masjids)
    return masjids
  }

  /** Rows joined by their masjid belong to the same one. */
  const acrossJoin = (masjids: Masjids, parent: Table, child: Table, join: Join): Masjids => {
    const [own, target] = [columnOf(parent), columnOf(child)]
    return own !== undefined && join.some(([from, to]) => from === own && to === target) ? masjids : undefined
  }

  const inField = (field: Field, parent: Table, masjids: Masjids): void => {
    const inherited = (child: Table, join: Join): Masjids => acrossJoin(masjids, parent, child, join)
    if (field.kind === 'object' || field.kind === 'array')
      inRows(field.rows, inherited(field.rows.from.table, field.join))
    else if (field.kind === 'aggregate')
      inAggregate(field.aggregate, inherited(field.aggregate.range.from.table, field.join))
    else if (field.kind === 'connection')
      inConnection(field.connection, inherited(field.connection.range.from.table, field.join))
  }

  const inRows = (rows: Rows, inherited: Masjids): void => {
    const masjids = inRange(rows, inherited)
    for (const field of rows.fields) inField(field, rows.from.table, masjids)
  }

  const inAggregate = ({ range, fields }: Aggregate, inherited: Masjids): void => {
    inRange(range, inherited)
    for (const field of fields) if (field.kind === 'nodes') inRows(field.rows, inherited)
  }

  /** The nodes are the rows of the range. */
  const inConnection = ({ range, fields }: Connection, inherited: Masjids): void => {
    const masjids = inRange(range, inherited)
    for (const field of fields)
      if (field.kind === 'edges') for (const edge of field.fields) if (edge.kind === 'node') inRows(edge.rows, masjids)
  }

  /** Of use only if the answer is known and the filter does not name the masjids already. */
  const shownBy = (list: string, { where, fields }: Rows, column: string): Shown | undefined => {
    if (!answerIsKnown || masjidsIn(where, column) !== undefined) return undefined
    const field = fields.find(one => one.kind === 'column' && one.column.column === column && one.path === undefined)
    return field === undefined ? undefined : { kind: 'shown', list, field: field.key }
  }

  const inList = (list: string, rows: Rows): void => {
    const column = columnIn(rows)
    const shown = column === undefined ? undefined : shownBy(list, rows, column)
    if (column === undefined || shown === undefined) return void inRows(rows, undefined)
    const admitted = admittedTo(rows, column)
    noteRange(rows, admitted === undefined ? undefined : [shown, admitted])
    for (const field of rows.fields) inField(field, rows.from.table, [shown])
  }

  const inRoot = (field: RootField): void => {
    // A row by its key is a list of one at most.
    if (field.kind === 'list' || field.kind === 'one') inList(field.key, field.rows)
    else if (field.kind === 'aggregate') inAggregate(field.aggregate, undefined)
    else if (field.kind === 'connection') inConnection(field.connection, undefined)
    else if (field.kind === 'stream') inRows(field.first, undefined)
  }

  for (const field of plan.fields) inRoot(field)
  for (const table of plan.tables) if (!found.has(table)) found.set(table, undefined)
  return found
}
