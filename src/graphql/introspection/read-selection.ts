// The selections of an introspection field → what is asked of each object: fragments expanded, directives applied, arguments
// read, fields with the same response key merged. Equal queries get the same `shape`, whatever their fragments are called.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type VariableValues,
} from 'graphql'

type Field = GraphQLField<unknown, unknown>

export interface AskedField {
  /** The response key as JSON, with its colon. */
  readonly key: string
  readonly field: Field
  readonly given: Readonly<Record<string, unknown>>
  readonly isList: boolean
  /** Undefined for a leaf. */
  readonly parts: AskedParts | undefined
}

export interface AskedParts {
  readonly type: GraphQLObjectType
  readonly fields: readonly AskedField[]
  readonly shape: string
}

export interface SelectionContext {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: VariableValues | undefined
  /** Parts of the same shape are the same object, so that the text written for one serves the other. */
  readonly known: Map<string, AskedParts>
}

const isIncluded = ({ variables }: SelectionContext, node: SelectionNode): boolean => {
  if ((node.directives ?? []).length === 0) return true
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.if === true) return false
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false
}

/** Introspection types are all objects: a type condition matches only the type of that name. */
const fits = (type: GraphQLObjectType, condition: string | undefined): boolean =>
  condition === undefined || condition === type.name

/** A fragment counts once for each object, as in graphql-js: `opened` is mutated. */
const fieldsIn = function* (
  context: SelectionContext,
  type: GraphQLObjectType,
  set: SelectionSetNode,
  opened: Set<string>,
): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (!isIncluded(context, selection)) continue
    if (selection.kind === Kind.FIELD) yield selection
    else if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (fits(type, selection.typeCondition?.name.value))
        yield* fieldsIn(context, type, selection.selectionSet, opened)
    } else {
      const name = selection.name.value
      const fragment = context.fragments.get(name)
      if (fragment === undefined || opened.has(name)) continue
      opened.add(name)
      if (fits(type, fragment.typeCondition.name.value)) yield* fieldsIn(context, type, fragment.selectionSet, opened)
    }
  }
}

const isList = (type: GraphQLOutputType): boolean => isListType(isNonNullType(type) ? type.ofType : type)

const fieldOf = (type: GraphQLObjectType, name: string): Field =>
  name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : (type.getFields()[name] as Field)

/** @throws {GraphQLError} for an invalid argument. */
export const readField = (
  context: SelectionContext,
  field: Field,
  asked: { readonly key: string; readonly node: FieldNode; readonly selections: readonly SelectionSetNode[] },
): AskedField => {
  const named = getNamedType(field.type)
  return {
    key: `${JSON.stringify(asked.key)}:`,
    field,
    given: getArgumentValues(field, asked.node, context.variables),
    isList: isList(field.type),
    parts: isObjectType(named) ? readParts(context, named, asked.selections) : undefined,
  }
}

const shapeOf = ({ key, field, given, parts }: AskedField): string =>
  `${key}${field.name}${JSON.stringify(given)}${parts === undefined ? '' : `{${parts.shape}}`}`

const readParts = (
  context: SelectionContext,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): AskedParts => {
  const found = new Map<string, { node: FieldNode; selections: SelectionSetNode[] }>()
  const opened = new Set<string>()
  for (const set of sets)
    for (const node of fieldsIn(context, type, set, opened)) {
      const key = node.alias?.value ?? node.name.value
      const known = found.get(key) ?? { node, selections: [] }
      if (node.selectionSet !== undefined) known.selections.push(node.selectionSet)
      found.set(key, known)
    }
  const fields = [...found].map(([key, { node, selections }]) =>
    readField(context, fieldOf(type, node.name.value), { key, node, selections }),
  )
  const shape = `${type.name} ${fields.map(shapeOf).join()}`
  const known = context.known.get(shape) ?? { type, fields, shape }
  context.known.set(shape, known)
  return known
}
