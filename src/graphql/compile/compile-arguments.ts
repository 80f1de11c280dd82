// The given arguments of a function → the call.
import type { RowArgument } from '../../catalog/model.ts'
import { quoteIdentifier } from '../../db/sql.ts'
import type { GivenArgument, Value } from '../plan/plan.ts'
import { valueParameter, type Writer } from './writer.ts'

/** A composite is read from JSON: missing fields are null. */
const argumentValue = (writer: Writer, value: Value): string => {
  const parameter = valueParameter(writer, value)
  if (value.encoding !== 'record') return parameter
  return `"pg_catalog"."jsonb_populate_record"(null::${value.type.sql}, ${parameter})`
}

const compileArgument = (writer: Writer, { argument, value }: GivenArgument): string => {
  const { name, positional, variadic } = argument
  const named = positional ? '' : `${quoteIdentifier(name)} => `
  return `${variadic ? 'variadic ' : ''}${named}${argumentValue(writer, value)}`
}

export interface FunctionCall {
  readonly schema: string
  readonly function: string
  /** The row it is a function of, and where it takes it. */
  readonly of: { readonly row: string; readonly argument: RowArgument } | undefined
  readonly arguments: readonly GivenArgument[]
}

/** The order of named arguments is free, but they follow those without a name, and a variadic one is last. */
const withRow = (given: readonly string[], { of, arguments: all }: FunctionCall): readonly string[] => {
  if (of === undefined) return given
  const { name, place } = of.argument
  if (name === undefined) return given.toSpliced(place, 0, of.row)
  const firstNamed = all.filter(({ argument }) => argument.positional).length
  return given.toSpliced(firstNamed, 0, `${quoteIdentifier(name)} => ${of.row}`)
}

export const compileFunction = (writer: Writer, call: FunctionCall): string => {
  const given = call.arguments.map(one => compileArgument(writer, one))
  return `${quoteIdentifier(call.schema)}.${quoteIdentifier(call.function)}(${withRow(given, call).join(', ')})`
}
