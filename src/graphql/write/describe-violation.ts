// A violated constraint → its name, its columns and the rule in words: the comment of the constraint, or a plain sentence.
import type pg from 'pg'
import type { Model, Rule, Table } from '../../catalog/model.ts'

export interface Violation {
  readonly message: string
  readonly constraint?: string
  /** GraphQL names. */
  readonly columns?: readonly string[]
}

const tableNamed = ({ tables }: Model, relation: string | undefined): Table | undefined =>
  [...tables.values()].find(table => table.relation === relation)

const namesOf = (table: Table | undefined, columns: readonly string[]): string[] =>
  columns.map(name => [...(table?.columns.values() ?? [])].find(({ column }) => column === name)?.name ?? name)

const inWords = (columns: readonly string[]): string => (columns.length === 0 ? 'these values' : columns.join(', '))

const kinds: Readonly<Record<string, Rule['kind']>> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23001': 'foreign-key',
  '23514': 'check',
  '23P01': 'exclusion',
}

/** Says nothing about the row that is in the way, which the caller may not be allowed to see. */
const sentence = (kind: Rule['kind'] | undefined, columns: readonly string[], isOwn: boolean): string => {
  const named = inWords(columns)
  if (kind === 'unique') return `A row with the same value of ${named} exists already.`
  if (kind === 'exclusion') return `The value of ${named} overlaps with that of another row.`
  if (kind === 'foreign-key' && isOwn) return `There is no row that ${named} could refer to.`
  if (kind === 'foreign-key') return 'Other rows still refer to this one.'
  return columns.length === 0 ? 'A value is out of range.' : `The value of ${named} is not allowed.`
}

const NOT_NULL = '23502'

const missingValue = (table: Table | undefined, column: string | undefined): Violation => {
  const columns = column === undefined ? [] : namesOf(table, [column])
  return { message: `A value is missing for ${inWords(columns)}.`, columns }
}

/** What a function raises itself, it has written for people. */
const isRaised = ({ routine }: pg.DatabaseError): boolean => routine === 'exec_stmt_raise'

export const describeViolation = (error: pg.DatabaseError, written: Table | undefined, model: Model): Violation => {
  const { code = '', constraint, message } = error
  const table = tableNamed(model, error.table) ?? written
  if (code === NOT_NULL) return missingValue(table, error.column)
  if (constraint === undefined) return { message }
  const rule = table?.rules.get(constraint)
  if (rule === undefined && isRaised(error)) return { message, constraint }
  const columns = namesOf(table, rule?.columns ?? [])
  const words = rule?.description ?? sentence(rule?.kind ?? kinds[code], columns, table === written)
  return { message: words, constraint, columns }
}
