// The given arguments of a function → the call.
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
  /** The row it is a function of. */
  readonly row: string | undefined
  readonly arguments: readonly GivenArgument[]
}

export const compileFunction = (writer: Writer, call: FunctionCall): string => {
  const given = call.arguments.map(one => compileArgument(writer, one))
  const all = call.row === undefined ? given : [call.row, ...given]
  return `${quoteIdentifier(call.schema)}.${quoteIdentifier(call.function)}(${all.join(', ')})`
}
