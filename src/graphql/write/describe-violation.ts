// A violated constraint → its name, its columns and the rule in words: the comment of the constraint, or a plain sentence.
import type pg from 'pg'
import type { Model, Rule, Table } from '../../catalog/model.ts'
import { isRaised, raisedRule } from '../../db/raised-rule.ts'

/** The plain sentences, by name: what has no words of its own is told in one of them. */
export const plainRules = [
  'missing-value',
  'duplicate',
  'overlap',
  'no-such-row',
  'still-referenced',
  'out-of-range',
  'not-allowed',
  'not-yours',
] as const

export type PlainRule = (typeof plainRules)[number]

interface Plain {
  readonly rule: PlainRule
  readonly message: string
}

export interface Violation {
  readonly message: string
  readonly constraint?: string
  /** Which of the plain sentences the message is. */
  readonly rule?: PlainRule
  readonly values?: Readonly<Record<string, string>>
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
const sentence = (kind: Rule['kind'] | undefined, columns: readonly string[], isOwn: boolean): Plain => {
  const named = inWords(columns)
  if (kind === 'unique') return { rule: 'duplicate', message: `A row with the same value of ${named} exists already.` }
  if (kind === 'exclusion')
    return { rule: 'overlap', message: `The value of ${named} overlaps with that of another row.` }
  if (kind === 'foreign-key' && isOwn)
    return { rule: 'no-such-row', message: `There is no row that ${named} could refer to.` }
  if (kind === 'foreign-key') return { rule: 'still-referenced', message: 'Other rows still refer to this one.' }
  if (columns.length === 0) return { rule: 'out-of-range', message: 'A value is out of range.' }
  return { rule: 'not-allowed', message: `The value of ${named} is not allowed.` }
}

const NOT_NULL = '23502'

const missingValue = (table: Table | undefined, column: string | undefined): Violation => {
  const columns = column === undefined ? [] : namesOf(table, [column])
  return { rule: 'missing-value', message: `A value is missing for ${inWords(columns)}.`, columns }
}

export const describeViolation = (error: pg.DatabaseError, written: Table | undefined, model: Model): Violation => {
  const { code = '', constraint, message } = error
  const table = tableNamed(model, error.table) ?? written
  if (code === NOT_NULL) return missingValue(table, error.column)
  if (constraint === undefined) return { message }
  const rule = table?.rules.get(constraint)
  if (rule === undefined && isRaised(error)) return { message, ...raisedRule(error) }
  const columns = namesOf(table, rule?.columns ?? [])
  const said = rule?.description ?? sentence(rule?.kind ?? kinds[code], columns, table === written)
  return { ...(typeof said === 'string' ? { message: said } : said), constraint, columns }
}
