// Variables → their shape: all that a plan may know about them. Values that only become parameters are not part of it.
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType, isScalarType } from 'graphql'
import { readGlobalId } from '../global-id.ts'

export type Shape =
  | { readonly kind: 'null' }
  /** `known`: the value itself affects the statement, such as a sort direction or the `if` of a directive. */
  | { readonly kind: 'leaf'; readonly known: string | number | boolean | undefined }
  | { readonly kind: 'list'; readonly items: readonly Shape[] }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, Shape> }

const nullShape: Shape = { kind: 'null' }
const leafShape: Shape = { kind: 'leaf', known: undefined }

const isKnown = (type: GraphQLInputType): boolean =>
  isEnumType(type) ? type.extensions.structural === true : isScalarType(type) && type.name === 'Boolean'

/** How many rows an update may change: part of the cost, as the page size is. */
const MOST_AFFECTED = 'max_affected'

/** A list of plain values is bound as one array: its length is not part of the shape. */
const isPlain = (type: GraphQLInputType): boolean => {
  if (isNonNullType(type) || isListType(type)) return isPlain(type.ofType)
  return !isInputObjectType(type) && (!isKnown(type) || isScalarType(type))
}

const objectShape = (value: object, type: GraphQLInputType): Shape => {
  const fields = new Map<string, Shape>()
  const definitions = isInputObjectType(type) ? type.getFields() : {}
  for (const [name, field] of Object.entries(value)) {
    const definition = definitions[name]
    if (definition === undefined || field === undefined) continue
    fields.set(
      name,
      name === MOST_AFFECTED && typeof field === 'number' ? knownNumber(field) : shapeOf(field, definition.type),
    )
  }
  return { kind: 'object', fields }
}

/** `value` has been validated against `type`. */
export const shapeOf = (value: unknown, type: GraphQLInputType): Shape => {
  if (isNonNullType(type)) return shapeOf(value, type.ofType)
  if (value === null || value === undefined) return nullShape
  if (isListType(type)) {
    if (isPlain(type)) return leafShape
    const items: unknown[] = Array.isArray(value) ? value : [value]
    return { kind: 'list', items: items.map(item => shapeOf(item, type.ofType)) }
  }
  if (isInputObjectType(type)) return objectShape(value as object, type)
  return isKnown(type) ? { kind: 'leaf', known: value as string | boolean } : leafShape
}

/** The page size affects the statement too: PostgreSQL plans differently for 1 row and for 100. */
export const knownNumber = (value: unknown): Shape =>
  typeof value === 'number' ? { kind: 'leaf', known: value } : nullShape

/** The offset affects the cost, roughly: rounded up to a power of ten, so that consecutive pages share a plan. */
export const knownOffset = (value: unknown): Shape => {
  if (typeof value !== 'number' || value <= 0) return knownNumber(value)
  return { kind: 'leaf', known: 10 ** Math.ceil(Math.log10(value)) }
}

/** A global id decides which table is read; its key is a parameter. */
export const knownTable = (id: unknown): Shape =>
  id === null ? nullShape : { kind: 'leaf', known: readGlobalId(String(id))?.table ?? '' }

/** The same text for the same shape: part of the key of the plan cache. */
export const shapeKey = (shape: Shape): string => {
  if (shape.kind === 'null') return 'n'
  if (shape.kind === 'leaf') return shape.known === undefined ? '$' : JSON.stringify(shape.known)
  if (shape.kind === 'list') return `[${shape.items.map(shapeKey).join()}]`
  return `{${[...shape.fields].map(([name, field]) => `${name}:${shapeKey(field)}`).join()}}`
}
