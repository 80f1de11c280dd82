// A field of an answer: all places of the query that ask for it under one key.
import type { FieldNode, SelectionSetNode } from 'graphql'

export interface CollectedField {
  readonly key: string
  readonly name: string
  /** The first of the nodes that were merged: its arguments are those of all. */
  readonly node: FieldNode
  readonly selections: readonly SelectionSetNode[]
}
