// A document and a schema → the rules that it obviously breaks: unknown fields, arguments and sub-selections.
// One cheap pass; most refused documents fail here, and skip the thirty rules of graphql-js that follow.
import {
  type DocumentNode,
  type FieldNode,
  FieldsOnCorrectTypeRule,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  KnownArgumentNamesRule,
  ScalarLeafsRule,
  type SelectionSetNode,
  type ValidationRule,
} from 'graphql'

const brokenByField = (
  schema: GraphQLSchema,
  parent: GraphQLNamedType,
  node: FieldNode,
): ValidationRule | undefined => {
  if (!isObjectType(parent)) return undefined
  const field = schema.getField(parent, node.name.value)
  if (field === undefined) return FieldsOnCorrectTypeRule
  for (const { name } of node.arguments ?? [])
    if (!field.args.some(one => one.name === name.value)) return KnownArgumentNamesRule
  const type = getNamedType(field.type)
  if (isLeafType(type) === (node.selectionSet !== undefined)) return ScalarLeafsRule
  return node.selectionSet === undefined ? undefined : brokenWithin(schema, type, node.selectionSet)
}

/** Fragments are checked where they are defined, not where they are used. */
const brokenWithin = (
  schema: GraphQLSchema,
  parent: GraphQLNamedType,
  set: SelectionSetNode,
): ValidationRule | undefined => {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FRAGMENT_SPREAD) continue
    const condition = selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition?.name.value : undefined
    const type = condition === undefined ? parent : schema.getType(condition)
    const broken =
      selection.kind === Kind.FIELD
        ? brokenByField(schema, parent, selection)
        : type && brokenWithin(schema, type, selection.selectionSet)
    if (broken !== undefined) return broken
  }
  return undefined
}

/** Undefined if all rules have to run. */
export const obviouslyBrokenRule = (document: DocumentNode, schema: GraphQLSchema): ValidationRule | undefined => {
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION && node.kind !== Kind.FRAGMENT_DEFINITION) continue
    const type =
      node.kind === Kind.OPERATION_DEFINITION
        ? schema.getRootType(node.operation)
        : schema.getType(node.typeCondition.name.value)
    const broken = type ? brokenWithin(schema, type, node.selectionSet) : undefined
    if (broken !== undefined) return broken
  }
  return undefined
}
