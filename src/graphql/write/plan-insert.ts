// An object to insert → a row, with the rows that nest in it along relationships, at any depth.
import type { Relation, Table } from '../../catalog/model.ts'
import { limits } from '../limits/limits.ts'
import { type Place, refuse, spend, useColumn } from '../plan/context.ts'
import { type Input, inputFields, inputItems, isNullInput, knownInput } from '../plan/input.ts'
import { planWhere } from '../plan/plan-where.ts'
import { refuseOpenFilter } from './open-filter.ts'
import { countWrite, type MutationField, needToRead, needToWrite } from './plan-root.ts'
import { sentValue } from './sent-value.ts'
import type { ErrorPath, InsertedRow, LinkedRow, OnConflict, SentValue } from './write-plan.ts'

export const planConflict = (root: MutationField, table: Table, input: Input | undefined): OnConflict | undefined => {
  if (input === undefined || isNullInput(input)) return undefined
  const { context, place } = root
  const fields = new Map(inputFields(input))
  const constraint = fields.get('constraint')
  const columns = fields.get('update_columns')
  const where = fields.get('where')
  const target = table.writing?.conflictTargets.get(String(constraint === undefined ? '' : knownInput(constraint)))
  if (target === undefined) throw new Error(`${table.name} has no such constraint`)
  const named = columns === undefined ? [] : inputItems(columns).map(one => String(knownInput(one)))
  const update = (table.writing?.updateColumns ?? []).filter(({ name }) => named.includes(name))
  if (where === undefined || isNullInput(where)) return { target, update, where: undefined }
  needToRead(root, table)
  refuseOpenFilter(root, table, where)
  return { target, update, where: planWhere(context, place, table, where) }
}

export interface Given {
  readonly table: Table
  readonly input: Input
  readonly path: ErrorPath
  readonly conflict: OnConflict | undefined
  /** Columns in the database that get their values from the row it nests in. */
  readonly filled: readonly string[]
}

const sentTwice = (place: Place, name: string, path: ErrorPath): Error =>
  refuse(
    place,
    'validation-failed',
    `${name} at ${path.join('.')} is given by the row it nests in. Leave it out, or do not nest.`,
  )

/** Rows that nest under one name: several, or one. */
const planNested = (root: MutationField, given: Given, relation: Relation, input: Input): LinkedRow[] => {
  const table = root.context.model.tables.get(relation.target)
  if (table === undefined) throw new Error(`the model has no table ${relation.target}`)
  const fields = new Map(inputFields(input))
  const data = fields.get('data')
  const conflict = planConflict(root, table, fields.get('on_conflict'))
  const path = [...given.path, relation.name, 'data']
  const filled = relation.keyIn === 'target' ? relation.join.map(([, target]) => target) : []
  const items = data === undefined ? [] : relation.kind === 'array' ? inputItems(data) : [data]
  return items.map((item, index) => ({
    join: relation.join,
    row: planInsertedRow(root, {
      table,
      input: item,
      path: relation.kind === 'array' ? [...path, index] : path,
      conflict,
      filled,
    }),
  }))
}

interface Parts {
  readonly values: SentValue[]
  readonly before: LinkedRow[]
  readonly after: LinkedRow[]
}

const checkOnce = (place: Place, { path, filled }: Given, { values, before }: Parts): void => {
  const given = [...filled, ...before.flatMap(({ join }) => join.map(([own]) => own))]
  const twice = values.find(({ column }) => given.includes(column.column))
  if (twice !== undefined) throw sentTwice(place, twice.column.name, path)
  const nested = given.find((name, index) => given.indexOf(name) < index)
  if (nested !== undefined) throw sentTwice(place, nested, path)
}

export const planInsertedRow = (root: MutationField, given: Given): InsertedRow => {
  const { context, place } = root
  const { table, path, conflict } = given
  const parts: Parts = { values: [], before: [], after: [] }
  needToWrite(root, table, `insert_${table.name}`)
  countWrite(root)
  spend(context, place, 1, 'Insert fewer objects at a time.')
  for (const [name, value] of inputFields(given.input)) {
    const column = table.writing?.insertColumns.find(one => one.name === name)
    const relation = table.relations.get(name)
    if (column !== undefined) parts.values.push(sentValue(useColumn(context, column), value))
    else if (relation !== undefined && !isNullInput(value))
      (relation.keyIn === 'own' ? parts.before : parts.after).push(...planNested(root, given, relation, value))
  }
  checkOnce(place, given, parts)
  return { table, path, conflict, ...parts }
}

const countOf = ({ before, after }: InsertedRow): number =>
  [...before, ...after].reduce((sum, { row }) => sum + countOf(row), 1)

/** @throws if there are too many, those that nest included. */
export const checkCount = (place: Place, rows: readonly InsertedRow[]): void => {
  const count = rows.reduce((sum, row) => sum + countOf(row), 0)
  if (count <= limits.inserted) return
  throw refuse(
    place,
    'too-many-rows',
    `There are ${count} objects to insert, with nested ones; the maximum is ${limits.inserted}. Insert fewer at a time.`,
  )
}
