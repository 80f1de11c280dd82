// Fields that share a response key must be identical. With one object type per place, one comparison per field is enough;
// the general rule of graphql-js compares all pairs, which has been used to attack servers (CVE-2023-26144).
// https://spec.graphql.org/draft/#sec-Field-Selection-Merging
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  print,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Call only after `measureDocument`, which bounds the expansion of fragments. */
const fieldsIn = function* (set: SelectionSetNode, fragments: Fragments): Generator<FieldNode> {
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) yield selection
    else if (selection.kind === Kind.INLINE_FRAGMENT) yield* fieldsIn(selection.selectionSet, fragments)
    else {
      const fragment = fragments.get(selection.name.value)
      if (fragment !== undefined) yield* fieldsIn(fragment.selectionSet, fragments)
    }
  }
}

/** The fields of an object are unordered; the items of a list are not. */
const inOrder = (node: ValueNode): ValueNode => {
  if (node.kind === Kind.LIST) return { ...node, values: node.values.map(inOrder) }
  if (node.kind !== Kind.OBJECT) return node
  const fields = node.fields.map(field => ({ ...field, value: inOrder(field.value) }))
  return { ...node, fields: fields.sort((left, right) => (left.name.value < right.name.value ? -1 : 1)) }
}

const argumentsText = ({ arguments: given }: FieldNode): string =>
  (given ?? [])
    .map(({ name, value }) => `${name.value}:${print(inOrder(value))}`)
    .sort()
    .join()

const conflict = (key: string, first: FieldNode, second: FieldNode): GraphQLError | undefined => {
  if (first === second) return undefined
  const reason =
    first.name.value !== second.name.value
      ? `"${first.name.value}" and "${second.name.value}" are different fields`
      : argumentsText(first) !== argumentsText(second)
        ? 'they have differing arguments'
        : undefined
  if (reason === undefined) return undefined
  return new GraphQLError(`Fields "${key}" conflict because ${reason}. Use different aliases on the fields.`, {
    nodes: [first, second],
    extensions: { code: 'validation-failed' },
  })
}

const checkSets = (sets: readonly SelectionSetNode[], fragments: Fragments): void => {
  const found = new Map<string, { first: FieldNode; sets: SelectionSetNode[] }>()
  for (const set of sets) {
    for (const node of fieldsIn(set, fragments)) {
      const key = node.alias?.value ?? node.name.value
      const known = found.get(key) ?? { first: node, sets: [] }
      const fault = conflict(key, known.first, node)
      if (fault !== undefined) throw fault
      if (node.selectionSet !== undefined) known.sets.push(node.selectionSet)
      found.set(key, known)
    }
  }
  for (const { sets: below } of found.values()) if (below.length > 0) checkSets(below, fragments)
}

export const checkFieldMerges = (document: DocumentNode, fragments: Fragments): void => {
  for (const definition of document.definitions)
    if (definition.kind === Kind.OPERATION_DEFINITION) checkSets([definition.selectionSet], fragments)
}
