// A query as data and rows in memory → the expected response. Plain on purpose: no plan, no SQL, no cleverness.
import { compareValues } from './compare-values.ts'
import { ExactNumber, type Value } from './exact-json.ts'
import { and, applyOperator, not, or, type Truth } from './operators.ts'
import type { Call, Condition, Direction, List, OrderKey, Query, Range, Root, Totals } from './query.ts'
import { conditionKey, type Named, nameItems, onePerKey } from './response-keys.ts'
import type { Data, Row } from './rows.ts'
import type { Relation, Table, Type } from './structure.ts'
import { callType, evaluateCall } from './totals.ts'

const MOST_ROWS = 100

const tableOf = (data: Data, name: string): Table => {
  const table = data.structure.get(name)
  if (table === undefined) throw new Error(`no table ${name}`)
  return table
}

const relationOf = (table: Table, name: string): Relation => {
  const relation = table.relations.get(name)
  if (relation === undefined) throw new Error(`${table.name} has no relationship ${name}`)
  return relation
}

const typeOf = (table: Table, column: string): Type => {
  const found = table.columns.get(column)
  if (found === undefined) throw new Error(`${table.name} has no column ${column}`)
  return found.type
}

const related = (data: Data, relation: Relation, row: Row): readonly Row[] =>
  data.lookUp(
    relation.target,
    relation.join.map(([, target]) => target),
    relation.join.map(([own]) => row[own] ?? null),
  )

const holds = (data: Data, table: Table, condition: Condition, row: Row): Truth => {
  switch (condition.kind) {
    case 'and':
      return and(condition.parts.map(part => holds(data, table, part, row)))
    case 'or':
      return or(condition.parts.map(part => holds(data, table, part, row)))
    case 'not':
      return not(holds(data, table, condition.part, row))
    case 'all':
      return and(onePerKey(condition.parts, conditionKey).map(part => holds(data, table, part, row)))
    case 'column': {
      const comparisons = onePerKey(condition.comparisons, ({ operator }) => operator)
      const value = row[condition.column] ?? null
      const type = typeOf(table, condition.column)
      return and(comparisons.map(({ operator, operand }) => applyOperator(operator, value, operand, type)))
    }
    case 'related': {
      const relation = relationOf(table, condition.relation)
      return filter(data, tableOf(data, relation.target), condition.condition, related(data, relation, row)).length > 0
    }
    case 'total': {
      const relation = relationOf(table, condition.relation)
      const target = tableOf(data, relation.target)
      const rows = filter(data, target, condition.filter, related(data, relation, row))
      const total = evaluateCall(condition.call, target, rows)
      const { operator, operand } = condition.comparison
      return applyOperator(operator, total, operand, callType(condition.call, target))
    }
  }
}

/** Rows for which a condition is unknown are excluded, like those for which it is false. */
const filter = (data: Data, table: Table, condition: Condition | undefined, rows: readonly Row[]): readonly Row[] =>
  condition === undefined ? rows : rows.filter(row => holds(data, table, condition, row) === true)

const keyOf = (data: Data, table: Table, { path, by }: OrderKey, row: Row): { value: Value; type: Type } => {
  const [first, ...rest] = path
  if (first !== undefined) {
    const relation = relationOf(table, first)
    const [neighbour] = related(data, relation, row)
    const target = tableOf(data, relation.target)
    const inner: OrderKey = { path: rest, by, direction: 'asc' }
    return neighbour === undefined
      ? { value: null, type: keyOf(data, target, inner, {}).type }
      : keyOf(data, target, inner, neighbour)
  }
  if (by.kind === 'column') return { value: row[by.column] ?? null, type: typeOf(table, by.column) }
  const relation = relationOf(table, by.relation)
  const target = tableOf(data, relation.target)
  return { value: evaluateCall(by.call, target, related(data, relation, row)), type: callType(by.call, target) }
}

/** Plain `asc` puts nulls last, plain `desc` first. */
const compareKeys = (a: Value, b: Value, type: Type, direction: Direction): number => {
  const nullsFirst = direction === 'desc' || direction.endsWith('nulls_first')
  if (a === null || b === null) return (Number(a === null) - Number(b === null)) * (nullsFirst ? -1 : 1)
  return compareValues(a, b, type) * (direction.startsWith('desc') ? -1 : 1)
}

const sort = (data: Data, table: Table, order: readonly OrderKey[], rows: readonly Row[]): Row[] => {
  const keyed = rows.map(row => ({ row, keys: order.map(key => keyOf(data, table, key, row)) }))
  keyed.sort((a, b) => {
    for (const [index, { direction }] of order.entries()) {
      const [left, right] = [a.keys[index], b.keys[index]]
      const found =
        left === undefined || right === undefined ? 0 : compareKeys(left.value, right.value, left.type, direction)
      if (found !== 0) return found
    }
    return 0
  })
  return keyed.map(({ row }) => row)
}

const isSame = (table: Table, columns: readonly string[], a: Row, b: Row): boolean =>
  columns.every(column => compareKeys(a[column] ?? null, b[column] ?? null, typeOf(table, column), 'asc') === 0)

/** The first of each run of equal rows; they are sorted by these columns. */
const distinct = (table: Table, columns: readonly string[], rows: readonly Row[]): readonly Row[] =>
  columns.length === 0
    ? rows
    : rows.filter((row, index) => index === 0 || !isSame(table, columns, row, rows[index - 1] ?? {}))

const pageOf = (data: Data, range: Range, rows: readonly Row[], most: number | undefined): readonly Row[] => {
  const table = tableOf(data, range.table)
  const chosen = distinct(
    table,
    range.distinctOn,
    sort(data, table, range.order, filter(data, table, range.where, rows)),
  )
  const from = range.offset ?? 0
  const count = range.limit ?? most
  return chosen.slice(from, count === undefined ? undefined : from + count)
}

type Answer = Record<string, Value>

const isLeftOut = ({ item: { directive } }: Named): boolean =>
  directive !== undefined && directive.condition === (directive.name === 'skip')

const partOf = (value: Value, path: string): Value =>
  path
    .replace(/^\$\.?/, '')
    .split('.')
    .reduce<Value>((part, key) => {
      if (part === null || typeof part !== 'object' || Array.isArray(part) || part instanceof ExactNumber) return null
      return part[key] ?? null
    }, value)

const itemValue = (data: Data, table: Table, { item }: Named, row: Row): Value => {
  switch (item.kind) {
    case 'typename':
      return table.name
    case 'column': {
      const value = row[item.column] ?? null
      return item.path === undefined ? value : partOf(value, item.path)
    }
    case 'object': {
      const relation = relationOf(table, item.relation)
      const [neighbour] = related(data, relation, row)
      return neighbour === undefined ? null : rowAnswer(data, relation.target, nameItems(item.items), neighbour)
    }
    case 'array':
      return listAnswer(data, item.list, related(data, relationOf(table, item.relation), row))
    case 'totals':
      return totalsAnswer(data, item.totals, related(data, relationOf(table, item.relation), row))
    case 'fragment':
      return null
  }
}

const rowAnswer = (data: Data, name: string, items: readonly Named[], row: Row): Answer => {
  const table = tableOf(data, name)
  return Object.assign(
    {},
    ...items.map(named => {
      if (isLeftOut(named)) return {}
      if (named.item.kind === 'fragment') return rowAnswer(data, name, named.parts, row)
      return { [named.key]: itemValue(data, table, named, row) }
    }),
  )
}

const listAnswer = (data: Data, list: List, rows: readonly Row[]): Value => {
  const items = nameItems(list.items)
  return pageOf(data, list, rows, MOST_ROWS).map(row => rowAnswer(data, list.table, items, row))
}

const callsAnswer = (table: Table, calls: readonly Call[], rows: readonly Row[]): Answer =>
  Object.fromEntries(
    calls.map((call, index) => {
      const value = evaluateCall(call, table, rows)
      return [`k${index}`, call.name === 'count' ? value : { [call.column]: value }]
    }),
  )

const groupsAnswer = (table: Table, { groupBy, calls }: Totals, rows: readonly Row[]): Value => {
  const groups: Row[][] = []
  for (const row of rows) {
    const group = groups.find(([first]) => first !== undefined && isSame(table, groupBy, first, row))
    if (group === undefined) groups.push([row])
    else group.push(row)
  }
  const sorted = groups.sort(([a = {}], [b = {}]) => {
    for (const column of groupBy) {
      const found = compareKeys(a[column] ?? null, b[column] ?? null, typeOf(table, column), 'asc')
      if (found !== 0) return found
    }
    return 0
  })
  return sorted.slice(0, MOST_ROWS).map(group => ({
    keys: Object.fromEntries(groupBy.map(column => [column, group[0]?.[column] ?? null])),
    aggregate: callsAnswer(table, calls, group),
  }))
}

const totalsAnswer = (data: Data, totals: Totals, rows: readonly Row[]): Value => {
  const table = tableOf(data, totals.table)
  const page = pageOf(data, totals, rows, undefined)
  const nodes = nameItems(totals.nodes)
  return {
    aggregate: callsAnswer(table, totals.calls, page),
    ...(nodes.length === 0
      ? {}
      : { nodes: page.slice(0, MOST_ROWS).map(row => rowAnswer(data, totals.table, nodes, row)) }),
    ...(totals.groupBy.length === 0 ? {} : { groups: groupsAnswer(table, totals, page) }),
  }
}

const rootAnswer = (data: Data, root: Root): Value => {
  if (root.kind === 'list') return listAnswer(data, root.list, data.rows(root.list.table))
  if (root.kind === 'totals') return totalsAnswer(data, root.totals, data.rows(root.totals.table))
  const table = tableOf(data, root.table)
  const found = data
    .rows(root.table)
    .find(row =>
      Object.entries(root.key).every(
        ([column, value]) =>
          row[column] !== null && compareValues(row[column] ?? null, value, typeOf(table, column)) === 0,
      ),
    )
  return found === undefined ? null : rowAnswer(data, root.table, nameItems(root.items), found)
}

export const evaluate = (data: Data, query: Query): Value =>
  Object.fromEntries(query.roots.map((root, index) => [`r${index}`, rootAnswer(data, root)]))

/** All rows of a list. */
export const evaluatePage = (data: Data, range: Range): readonly Row[] =>
  pageOf(data, range, data.rows(range.table), MOST_ROWS)
