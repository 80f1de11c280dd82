// A field of a response: all parts of the query that select it under one key.
import type { FieldNode, SelectionSetNode } from 'graphql'

export interface CollectedField {
  readonly key: string
  readonly name: string
  /** The first of the merged nodes: all have the same arguments. */
  readonly node: FieldNode
  readonly selections: readonly SelectionSetNode[]
}
