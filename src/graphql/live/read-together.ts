// Cohorts with the same statement and settings, but other values → one statement that reads for all of them. Each parameter becomes a
// list with a value for every cohort, and each result is a part of the text.
import type { TextStatement } from '../../db/text-channel.ts'
import { type CompiledStatement, statementName } from '../compile/compile-plan.ts'

/** JSON has this character nowhere, not even in strings. */
const SEPARATOR = '\u001e'

const texts = new WeakMap<CompiledStatement, string>()

const write = ({ text, slots }: CompiledStatement): string => {
  const lists = slots.map((_, index) => `$${index + 1}::text[]`)
  const names = slots.map((_, index) => `p${index + 1}`)
  const one = text.replaceAll(/\$(\d+)::/g, (_, number: string) => `given.p${number}::`)
  return `select string_agg(coalesce(one.result, $${slots.length + 1}::text), chr(30) order by given.place)
from unnest(${lists.join(', ')}) with ordinality as given (${names.join(', ')}, place)
left join lateral (${one}) as one (result) on true`
}

const textOf = (statement: CompiledStatement): string => {
  const known = texts.get(statement)
  if (known !== undefined) return known
  const text = write(statement)
  texts.set(statement, text)
  return text
}

const element = (value: string | null | undefined): string =>
  typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : 'NULL'

type Values = readonly (string | null)[]

/** `rows`: the values of each. */
export const togetherStatement = (
  statement: CompiledStatement,
  rows: readonly Values[],
  settings: TextStatement['settings'],
): TextStatement => {
  const text = textOf(statement)
  const lists = statement.slots.map((_, index) => `{${rows.map(row => element(row[index])).join()}}`)
  const values = [...lists, statement.none]
  return { text, name: statementName(text), values, none: '', prepare: true, settings }
}

/** @throws if there is not one for each. */
export const partsOf = (text: string, count: number): readonly string[] => {
  const parts = text.split(SEPARATOR)
  if (parts.length !== count) throw new Error(`${parts.length} results for ${count} subscriptions`)
  return parts
}
