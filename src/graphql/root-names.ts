// A validated operation → the names of its root fields, without aliases, each once.
import { Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql'
import type { PreparedDocument } from './document.ts'

/** Not worth counting. */
const IGNORED = '__typename'

type Fragments = PreparedDocument['fragments']

const collect = (names: Set<string>, { selections }: SelectionSetNode, fragments: Fragments): void => {
  for (const one of selections) {
    if (one.kind === Kind.FIELD) names.add(one.name.value)
    else {
      const inner = one.kind === Kind.INLINE_FRAGMENT ? one : fragments.get(one.name.value)
      if (inner !== undefined) collect(names, inner.selectionSet, fragments)
    }
  }
}

export const rootNames = ({ selectionSet }: OperationDefinitionNode, fragments: Fragments): readonly string[] => {
  const names = new Set<string>()
  collect(names, selectionSet, fragments)
  names.delete(IGNORED)
  return [...names]
}
