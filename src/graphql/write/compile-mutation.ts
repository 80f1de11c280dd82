// A plan of writes → the steps of one transaction, and how their texts make the response. Pure: the same plan gives the same texts.
import type { Table } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import { compileFunction } from '../compile/compile-arguments.ts'
import { rowAs, tableName } from '../compile/row.ts'
import type { Audience } from '../compile/writer.ts'
import { settingName } from '../compile/written-rows.ts'
import { compileAnswer } from './compile-answer.ts'
import { compileDelete } from './compile-delete.ts'
import { compileInsert } from './compile-insert.ts'
import { keyJson } from './compile-marks.ts'
import { WRITTEN, whereTarget } from './compile-target.ts'
import { compileRestore, compileUpdate } from './compile-update.ts'
import { keysSetting, rowsSetting } from './settings.ts'
import { addStep, type Step, type Steps } from './step.ts'
import type { InsertedRow, Write, WriteField, WritePlan } from './write-plan.ts'

/** A part of the response: literal JSON, or the text of a step. */
export type Piece = { readonly words: string } | { readonly step: number; readonly number: number }

export interface CompiledMutation {
  readonly steps: readonly Step[]
  readonly pieces: readonly Piece[]
  /** Reads a row with the fields of a write, by the number of the write: for a conflict of versions. */
  readonly current: ReadonlyMap<number, readonly Step[]>
}

const tablesOf = ({ table, before, after }: InsertedRow): Table[] => [
  table,
  ...[...before, ...after].flatMap(({ row }) => tablesOf(row)),
]

/** A table without policies of its own is written by those who may write everything. */
const checkUnguarded = (steps: Steps, write: Write): void => {
  const tables = write.kind === 'insert' ? write.rows.flatMap(tablesOf) : write.kind === 'action' ? [] : [write.table]
  for (const table of new Set(tables)) {
    if (table.policies) continue
    addStep(
      steps,
      { table, path: write.path },
      () => `select ${quoteIdentifier(table.schema)}."refuse_unless_writing_all"()`,
    )
  }
}

/** All its rows are kept: `returning` may then look at relationships as the function left them. */
const compileAction = (steps: Steps, write: Write & { kind: 'action' }): void => {
  const { table, function: one, number } = write
  addStep(steps, write, writer => {
    const call = { schema: table.schema, function: one.function, of: undefined, arguments: write.arguments }
    const row = rowAs(WRITTEN)
    const there = one.single ? ` where not (${row.row} is null)` : ''
    return `select set_config(${settingName(writer, rowsSetting(number))}, coalesce(json_agg(${row.row}), '[]')::text, true) from ${compileFunction(writer, call)} "${WRITTEN}"${there}`
  })
}

const compileWrite = (steps: Steps, write: Write): number => {
  let answeredAt = 0
  const answer = (): void => {
    answeredAt = steps.all.length
    compileAnswer(steps, write)
  }
  checkUnguarded(steps, write)
  if (write.kind === 'delete') compileDelete(steps, write, answer)
  else {
    if (write.kind === 'insert') compileInsert(steps, write)
    else if (write.kind === 'update') compileUpdate(steps, write)
    else if (write.kind === 'restore') compileRestore(steps, write)
    else compileAction(steps, write)
    answer()
  }
  return answeredAt
}

/** The row as it is now, found by the same key. */
const compileCurrent = (steps: Steps, write: Write): void => {
  if ((write.kind !== 'update' && write.kind !== 'delete') || write.target.kind !== 'key') return
  const { table, target, number } = write
  addStep(steps, write, writer => {
    const set = `set_config(${settingName(writer, keysSetting(number))}, ${keyJson(table, WRITTEN)}, true)`
    return `select ${set} from ${tableName(table)} "${WRITTEN}"${whereTarget(writer, table, target, rowAs(WRITTEN))}`
  })
  compileAnswer(steps, write)
}

const hasVersion = (write: Write): boolean =>
  (write.kind === 'update' || write.kind === 'delete') &&
  write.target.kind === 'key' &&
  write.target.version !== undefined

export const compileMutation = ({ fields }: WritePlan, audience: Audience): CompiledMutation => {
  const all: Step[] = []
  const length = { characters: 0 }
  const current = new Map<number, Step[]>()
  const pieceOf = (write: Write): Piece => {
    const { number } = write
    if (hasVersion(write)) {
      const steps: Steps = { audience, number, all: [], length }
      compileCurrent(steps, write)
      current.set(number, steps.all)
    }
    return { step: compileWrite({ audience, number, all, length }, write), number }
  }
  const piecesOf = (field: WriteField): Piece[] => {
    if (field.kind === 'typename') return [{ words: JSON.stringify(field.name) }]
    if (field.kind === 'write') return [pieceOf(field.write)]
    const results = field.writes.flatMap((write, index) => [{ words: index === 0 ? '[' : ',' }, pieceOf(write)])
    return [...(results.length === 0 ? [{ words: '[' }] : results), { words: ']' }]
  }
  const pieces = fields.flatMap((field, index): Piece[] => [
    { words: `${index === 0 ? '{' : ','}"${field.key}":` },
    ...piecesOf(field),
  ])
  return { steps: all, pieces: [...(pieces.length === 0 ? [{ words: '{' }] : pieces), { words: '}' }], current }
}
