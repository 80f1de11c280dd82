// Rows to insert → one statement for each, parents of object relationships first, children of array relationships last.
import { quoteIdentifier } from '../../db/sql.ts'
import { compileCondition } from '../compile/compile-expression.ts'
import { rowAs, rowConditions, tableName, whereOf } from '../compile/row.ts'
import type { Writer } from '../compile/writer.ts'
import { compileMarks, type Link, type Marks, marksFor, returningOf } from './compile-marks.ts'
import { WRITTEN } from './compile-target.ts'
import { compileLinked, compileSent, type Linked } from './compile-value.ts'
import { linkSetting } from './settings.ts'
import { addStep, type Steps } from './step.ts'
import type { InsertedRow, OnConflict, Write } from './write-plan.ts'

const compileConflict = (writer: Writer, { table }: InsertedRow, { target, update, where }: OnConflict): string => {
  const at = target.constraint === undefined ? target.inference : `on constraint ${quoteIdentifier(target.constraint)}`
  if (update.length === 0) return ` on conflict ${at} do nothing`
  const row = rowAs(WRITTEN)
  const set = update.map(({ column }) => `${quoteIdentifier(column)} = excluded.${quoteIdentifier(column)}`)
  const condition = where === undefined ? undefined : compileCondition(writer, where, row)
  return ` on conflict ${at} do update set ${set.join(', ')}${whereOf([...rowConditions(writer, table, row), condition])}`
}

type Filled = ReadonlyMap<string, Linked>

const compileRow = (writer: Writer, row: InsertedRow, filled: Filled, marks: Marks): string => {
  const { table, values, conflict } = row
  const sent = values.map(one => [one.column.column, compileSent(writer, one)] as const)
  const linked = [...filled].map(([own, from]) => [own, compileLinked(writer, table, own, from)] as const)
  const all = [...sent, ...linked]
  const columns = all.map(([column]) => quoteIdentifier(column)).join(', ')
  const list = all.length === 0 ? 'default values' : `(${columns}) values (${all.map(([, sql]) => sql).join(', ')})`
  const onConflict = conflict === undefined ? '' : compileConflict(writer, row, conflict)
  const insert = `insert into ${tableName(table)} as ${quoteIdentifier(WRITTEN)} ${list}${onConflict} ${returningOf(table, marks, WRITTEN)}`
  return `with "new" as (${insert}) select ${compileMarks(writer, table, marks)} from "new"`
}

interface Inserting {
  readonly steps: Steps
  /** Settings for links are numbered within one object of the list. */
  readonly links: { next: number }
  readonly affected: string | undefined
}

const nextLink = ({ links }: Inserting): string => {
  links.next += 1
  return linkSetting(links.next - 1)
}

interface Role {
  readonly filled: Filled
  /** What the row that it nests in takes from it. */
  readonly wanted: Link | undefined
  readonly keys: string | undefined
}

const nested: Omit<Role, 'filled' | 'wanted'> = { keys: undefined }

const linkOf = (inserting: Inserting, row: InsertedRow, wanted: Link | undefined): Link | undefined => {
  if (wanted === undefined && row.after.length === 0) return undefined
  const own = row.after.flatMap(({ join }) => join.map(([column]) => column))
  return {
    setting: wanted?.setting ?? nextLink(inserting),
    columns: [...new Set([...(wanted?.columns ?? []), ...own])],
  }
}

const insertRow = (inserting: Inserting, row: InsertedRow, { filled, wanted, keys }: Role): void => {
  const all = new Map(filled)
  for (const { join, row: parent } of row.before) {
    const link: Link = { setting: nextLink(inserting), columns: join.map(([, target]) => target) }
    insertRow(inserting, parent, { ...nested, filled: new Map(), wanted: link })
    for (const [own, target] of join) all.set(own, { setting: link.setting, column: target })
  }
  const link = linkOf(inserting, row, wanted)
  const marks: Marks = { keys, affected: inserting.affected, link }
  addStep(inserting.steps, row, writer => compileRow(writer, row, all, marks))
  for (const { join, row: child } of row.after) {
    const given = join.map(([own, target]) => [target, { setting: link?.setting ?? '', column: own }] as const)
    insertRow(inserting, child, { ...nested, filled: new Map(given), wanted: undefined })
  }
}

export const compileInsert = (steps: Steps, { rows, shown, number }: Write & { kind: 'insert' }): void => {
  const { keys, affected } = marksFor(shown, number)
  for (const row of rows)
    insertRow({ steps, links: { next: 0 }, affected }, row, { filled: new Map(), wanted: undefined, keys })
}
