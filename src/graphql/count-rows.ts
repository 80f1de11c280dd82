// The text of a response → its number of rows: in total, cheaply; and, for tables with personal data, exactly and by table.
import type { Column, Table } from '../catalog/model.ts'
import type { Aggregate, Connection, Field, Plan, Rows } from './plan/plan.ts'

const countText = (text: string, wanted: string): number => {
  let count = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) count += 1
  return count
}

/** PostgreSQL puts a line break between the rows of a list, and JSON strings contain none. */
export const countListRows = (text: string): number => countText(text, '\n') + countText(text, '[{')

type Counts = Map<Table, number>

type Answered = Readonly<Record<string, unknown>>

const add = (counts: Counts, table: Table, rows: number): void =>
  void counts.set(table, (counts.get(table) ?? 0) + rows)

const countField = (counts: Counts, field: Field, value: unknown): void => {
  if (field.kind === 'object') countRows(counts, field.rows, value === null ? [] : [value])
  else if (field.kind === 'array') countRows(counts, field.rows, value)
  else if (field.kind === 'aggregate') countAggregate(counts, field.aggregate, value)
  else if (field.kind === 'connection') countConnection(counts, field.connection, value)
}

const countFields = (counts: Counts, fields: Rows['fields'], row: Answered | null): void => {
  for (const field of fields) countField(counts, field, row?.[field.key])
}

const countRows = (counts: Counts, { from, fields }: Rows, rows: unknown): void => {
  if (!Array.isArray(rows)) return
  add(counts, from.table, rows.length)
  for (const row of rows) countFields(counts, fields, row)
}

const countAggregate = (counts: Counts, { fields }: Aggregate, value: unknown): void => {
  for (const field of fields)
    if (field.kind === 'nodes') countRows(counts, field.rows, (value as Record<string, unknown>)[field.key])
}

/** Each list of edges counts its rows, whatever is asked of them. */
const countConnection = (counts: Counts, { range, fields }: Connection, value: unknown): void => {
  for (const field of fields) {
    if (field.kind !== 'edges') continue
    const edges = (value as Answered)[field.key] as readonly Answered[]
    add(counts, range.from.table, edges.length)
    for (const edge of edges)
      for (const part of field.fields)
        if (part.kind === 'node') countFields(counts, part.rows.fields, edge[part.key] as Answered)
  }
}

const isPlainColumn = ({ type: { family, element } }: Column): boolean =>
  element === undefined && family !== 'json' && family !== 'jsonb' && family !== 'composite'

/** If a list has only plain columns, each row is on one line: they can be counted without parsing. */
const flatList = ({ fields }: Plan): Rows | undefined => {
  const [only] = fields
  if (only?.kind !== 'list' || fields.length > 1) return undefined
  const isFlat = only.rows.fields.every(
    field => field.kind === 'typename' || (field.kind === 'column' && isPlainColumn(field.column)),
  )
  return isFlat ? only.rows : undefined
}

const countLines = (data: string): number => (data.endsWith('[]}') ? 0 : countText(data, '\n') + 1)

const countParsed = (counts: Counts, plan: Plan, data: string): void => {
  const answer = JSON.parse(data) as Record<string, unknown>
  for (const field of plan.fields) {
    const value = answer[field.key]
    if (field.kind === 'list') countRows(counts, field.rows, value)
    else if (field.kind === 'one') countRows(counts, field.rows, value === null ? [] : [value])
    else if (field.kind === 'aggregate')
      for (const one of Array.isArray(value) ? value : [value]) countAggregate(counts, field.aggregate, one)
    else if (field.kind === 'connection') countConnection(counts, field.connection, value)
    else if (field.kind === 'stream') countRows(counts, field.first, value)
  }
}

/** Tables used only in filters or aggregates are recorded with no rows: they were still read. */
export const countPersonalRows = (plan: Plan, data: string): ReadonlyMap<Table, number> => {
  const counts: Counts = new Map([...plan.tables].map(table => [table, 0]))
  const flat = flatList(plan)
  if (flat === undefined) countParsed(counts, plan, data)
  else add(counts, flat.from.table, countLines(data))
  return new Map([...counts].filter(([table]) => table.personal !== undefined))
}
