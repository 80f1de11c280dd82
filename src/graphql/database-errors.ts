// A PostgreSQL error → whether the caller, the structure or the service is at fault.
import { GraphQLError } from 'graphql'
import type { GraphqlErrorCode } from './error-code.ts'
import { limits } from './limits/limits.ts'
import type { Place } from './plan/context.ts'
import type { Plan } from './plan/plan.ts'

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

/** A table, column, function or type is gone or new, or not yet granted. */
const structural = new Set(['42703', '42P01', '42883', '42704', '42501', '42804', '42809', '3F000', '0A000', 'XX000'])

/** The statement was compiled for an outdated structure: worth a retry with the newest. */
export const isStructural = (error: unknown): boolean => structural.has(codeOf(error))

/** Raised by changes.position_of. */
const CURSOR_TOO_OLD = 'MN008'

/** PostgreSQL does not say which field an error is about; if there is one root field, it is within that. */
const placeOf = ({ fields, places }: Plan): Place | undefined =>
  fields.length === 1 ? places.values().next().value : undefined

/** tsquery, lquery and jsonpath report an unreadable value as a syntax error, as the parser does for a statement. */
const isSyntaxOfValue = (code: string, message: string): boolean =>
  code === '42601' && (!/^syntax error at /.test(message) || message.endsWith('of jsonpath input'))

/** Text that begins with a brace, and is no array as PostgreSQL writes it. The file tells it in any language. */
export const isMalformedArray = (error: unknown): boolean =>
  codeOf(error) === '22P02' && (error as { file?: unknown }).file === 'arrayfuncs.c'

/** Messages of class 22 (data exceptions) mention the caller's own values, never statements. */
export const callersFault = (error: unknown, plan: Plan, timeoutMs: number): GraphQLError | undefined => {
  const code = codeOf(error)
  const { message } = error as Error
  const place = placeOf(plan)
  const refuse = (shown: GraphqlErrorCode, text: string): GraphQLError =>
    new GraphQLError(text, {
      ...(place === undefined ? {} : { nodes: [place.node], path: place.path }),
      extensions: { code: shown },
    })
  if (code === '2201W' || code === '2201X') return refuse('page-out-of-range', message)
  if (isMalformedArray(error)) return refuse('validation-failed', message)
  if (code.startsWith('22') || code === 'P0001' || isSyntaxOfValue(code, message)) return refuse('bad-value', message)
  if (code === CURSOR_TOO_OLD) return refuse('cursor-too-old', message)
  if (code === '57014')
    return refuse(
      'timeout',
      `The database took longer than ${timeoutMs} ms. Ask for less, or filter by an indexed column.`,
    )
  if (code === '54001') return refuse('too-deep', 'The operation is too deep for the database. Nest fewer fields.')
  if (code === '54000')
    return refuse(
      'too-costly',
      `The response is larger than ${limits.answerBytes} bytes, the maximum. Lower \`limit\`, or select fewer columns.`,
    )
  if (code.startsWith('54') || code === '53400')
    return refuse('too-costly', 'The operation is too large for the database. Ask for less at once.')
  return undefined
}
