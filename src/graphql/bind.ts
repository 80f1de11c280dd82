// The slots of a statement and the variables of a request → the parameters, as text.
import { GraphQLError } from 'graphql'
import type { Slot } from './compile/writer.ts'
import { encodeValue, resolveText, type VariableValues } from './encode-value.ts'
import { badId, readGlobalId } from './global-id.ts'
import { readOpaqueText } from './read-opaque-text.ts'

const badCursor = (): GraphQLError =>
  new GraphQLError('This cursor cannot be used here. A cursor works only for the same list with the same order_by.', {
    extensions: { code: 'bad-cursor' },
  })

const cursorKey = (slot: Slot & { kind: 'cursor' }, variables: VariableValues): string | null => {
  const parts = readOpaqueText(resolveText(slot.cursor, variables))
  if (!Array.isArray(parts) || parts.length !== slot.count + 1 || parts[0] !== slot.order) throw badCursor()
  const key: unknown = parts[slot.index + 1]
  if (key === null || typeof key === 'string') return key
  throw badCursor()
}

/** Which table an id names was seen when the statement was made; whether it fits the table's key is seen here. */
const nodeKey = ({ id, table, index, count }: Slot & { kind: 'node' }, variables: VariableValues): string => {
  const read = readGlobalId(resolveText(id, variables))
  if (read?.table !== table || read.key.length !== count) throw badId()
  return read.key[index] as string
}

/** Introspection results, by response key, as JSON. */
export type SchemaValues = ReadonlyMap<string, string>

export const bindSlots = (
  slots: readonly Slot[],
  variables: VariableValues,
  introspection: SchemaValues,
): (string | null)[] =>
  slots.map(slot => {
    if (slot.kind === 'value') return encodeValue(slot.value, variables)
    if (slot.kind === 'text') return slot.text
    if (slot.kind === 'cursor') return cursorKey(slot, variables)
    // Filled in when it is read.
    if (slot.kind === 'calculated') return null
    return slot.kind === 'node' ? nodeKey(slot, variables) : (introspection.get(slot.key) ?? null)
  })
