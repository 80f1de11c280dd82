// A parsed document → refused if it is too deep or too wide. Fragments are expanded; counting stops at the first excess.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'
import type { GraphqlErrorCode } from '../error-code.ts'
import { limits } from './limits.ts'

interface Count {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  fields: number
  aliases: number
}

const refuse = (code: GraphqlErrorCode, message: string, node: FieldNode | ValueNode | undefined): GraphQLError =>
  new GraphQLError(message, { ...(node === undefined ? {} : { nodes: [node] }), extensions: { code } })

const measureValue = (node: ValueNode, depth: number): void => {
  if (depth > limits.valueDepth)
    throw refuse(
      'too-deep',
      `An argument is more than ${limits.valueDepth} objects and lists deep; the maximum is ${limits.valueDepth}. Write it flatter.`,
      node,
    )
  if (node.kind === Kind.LIST) for (const value of node.values) measureValue(value, depth + 1)
  if (node.kind === Kind.OBJECT) for (const { value } of node.fields) measureValue(value, depth + 1)
}

const measureField = (node: FieldNode, count: Count, depth: number, open: Set<string>): void => {
  if (depth > limits.depth)
    throw refuse(
      'too-deep',
      `The query is at least ${depth} fields deep; the maximum is ${limits.depth}. Nest fewer fields.`,
      node,
    )
  if (node.alias !== undefined) count.aliases += 1
  if (count.aliases > limits.aliases)
    throw refuse(
      'too-many-aliases',
      `The query has at least ${count.aliases} aliases; the maximum is ${limits.aliases}. Split it into several requests.`,
      node,
    )
  for (const { value } of node.arguments ?? []) measureValue(value, 0)
  if (node.selectionSet !== undefined) measureSet(node.selectionSet, count, depth, open)
}

/**
 * `open` holds the enclosing fragments, and is mutated on the way in and out: copying it each time would make a long chain
 * of fragments quadratic. A fragment inside itself is left to validation, which names the cycle.
 */
const measureSet = (set: SelectionSetNode, count: Count, depth: number, open: Set<string>): void => {
  for (const selection of set.selections) {
    count.fields += 1
    if (count.fields > limits.fields)
      throw refuse(
        'too-many-fields',
        `The query selects at least ${count.fields} fields, with fragments expanded; the maximum is ${limits.fields}. Split it into several requests.`,
        undefined,
      )
    if (selection.kind === Kind.FIELD) measureField(selection, count, depth + 1, open)
    else if (selection.kind === Kind.INLINE_FRAGMENT) measureSet(selection.selectionSet, count, depth, open)
    else {
      const name = selection.name.value
      const fragment = count.fragments.get(name)
      if (fragment === undefined || open.has(name)) continue
      open.add(name)
      measureSet(fragment.selectionSet, count, depth, open)
      open.delete(name)
    }
  }
}

const countRootFields = (set: SelectionSetNode, count: Count, open: Set<string>): number =>
  set.selections.reduce((sum, selection) => {
    if (selection.kind === Kind.FIELD) return sum + 1
    if (selection.kind === Kind.INLINE_FRAGMENT) return sum + countRootFields(selection.selectionSet, count, open)
    const name = selection.name.value
    const fragment = count.fragments.get(name)
    if (fragment === undefined || open.has(name)) return sum
    open.add(name)
    const within = countRootFields(fragment.selectionSet, count, open)
    open.delete(name)
    return sum + within
  }, 0)

/** Every operation counts, whichever is run, and whatever it is called. */
export const measureDocument = (document: DocumentNode): void => {
  const fragments = new Map(
    document.definitions.flatMap(node =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  const count: Count = { fragments, fields: 0, aliases: 0 }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    measureSet(definition.selectionSet, count, 0, new Set())
    const roots = countRootFields(definition.selectionSet, count, new Set())
    if (roots > limits.rootFields)
      throw refuse(
        'too-many-root-fields',
        `An operation has ${roots} fields at its root; the maximum is ${limits.rootFields}. Split it into several requests.`,
        undefined,
      )
  }
}

/** A variable's value, deeper than any filter needs to be. */
export const measureVariable = (name: string, value: unknown): void => {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.valueDepth)
      throw refuse(
        'too-deep',
        `The variable $${name} is more than ${limits.valueDepth} objects and lists deep; the maximum is ${limits.valueDepth}. Write it flatter.`,
        undefined,
      )
    level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
}
