// A schema and an introspection query → the result as JSON. graphql-js's own resolvers provide each field; what its
// executor does around them (promises, paths, error handling for every field) is left out, which is most of the cost.
import { GraphQLError, type GraphQLResolveInfo, type GraphQLSchema } from 'graphql'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from '../limits/limits.ts'
import type { AskedField, AskedParts } from './read-selection.ts'

interface Slicing {
  readonly schema: GraphQLSchema
  /** Text written so far: the same types recur, mostly in the same few shapes. */
  readonly written: Map<AskedParts, Map<object, string>>
  bytes: number
}

const tooLong = (): GraphQLError =>
  new GraphQLError(`The response is larger than ${limits.answerBytes} bytes, the maximum. Select less at once.`, {
    extensions: { code: 'too-costly' satisfies GraphqlErrorCode },
  })

/** A long alias is repeated for each object, so the length is checked as it grows. */
const counted = (slicing: Slicing, json: string): string => {
  slicing.bytes += json.length + 1
  if (slicing.bytes > limits.answerBytes) throw tooLong()
  return json
}

const resolve = ({ schema }: Slicing, { field, given }: AskedField, parts: AskedParts | undefined, source: unknown) =>
  field.resolve?.(source, given, undefined, { schema, parentType: parts?.type } as unknown as GraphQLResolveInfo)

const writeObject = (slicing: Slicing, parts: AskedParts, source: object): string => {
  const before = slicing.written.get(parts) ?? new Map<object, string>()
  slicing.written.set(parts, before)
  const known = before.get(source)
  if (known !== undefined) return counted(slicing, known)
  const members = parts.fields.map(
    field => counted(slicing, field.key) + writeValue(slicing, field, resolve(slicing, field, parts, source)),
  )
  const json = `{${members.join()}}`
  before.set(source, json)
  return json
}

const writeItem = (slicing: Slicing, parts: AskedParts | undefined, value: unknown): string =>
  parts === undefined ? counted(slicing, JSON.stringify(value)) : writeObject(slicing, parts, value as object)

const writeValue = (slicing: Slicing, { isList, parts }: AskedField, value: unknown): string => {
  if (value === undefined || value === null) return 'null'
  if (!isList) return writeItem(slicing, parts, value)
  return `[${Array.from(value as Iterable<unknown>, item => writeItem(slicing, parts, item)).join()}]`
}

/** @throws {GraphQLError} for a response that would be too long. */
export const writeSlice = (schema: GraphQLSchema, field: AskedField): string => {
  const slicing: Slicing = { schema, written: new Map(), bytes: 0 }
  return writeValue(slicing, field, resolve(slicing, field, undefined, undefined))
}
