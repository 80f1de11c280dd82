// The slots of a statement and the variables of a request → the parameters, as text.
import { GraphQLError } from 'graphql'
import type { Slot } from './compile/writer.ts'
import { encodeValue, resolveText, type VariableValues } from './encode-value.ts'

const badCursor = (): GraphQLError =>
  new GraphQLError('This cursor cannot be used here. A cursor works only for the same list with the same order_by.', {
    extensions: { code: 'bad-cursor' },
  })

const parseCursor = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

const cursorKey = (slot: Slot & { kind: 'cursor' }, variables: VariableValues): string | null => {
  const parts = parseCursor(resolveText(slot.cursor, variables))
  if (!Array.isArray(parts) || parts.length !== slot.count + 1 || parts[0] !== slot.order) throw badCursor()
  const key: unknown = parts[slot.index + 1]
  if (key === null || typeof key === 'string') return key
  throw badCursor()
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
    return slot.kind === 'cursor' ? cursorKey(slot, variables) : (introspection.get(slot.key) ?? null)
  })
