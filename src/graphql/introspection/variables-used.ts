// Fields → the names of the variables that they use, in the fragments that they open too.
import { type FragmentDefinitionNode, type SelectionSetNode, visit } from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** `opened` grows: each fragment is looked through once. */
const gather = (set: SelectionSetNode, fragments: Fragments, opened: Set<string>): string[] => {
  const names: string[] = []
  visit(set, {
    Variable: ({ name }) => {
      names.push(name.value)
    },
    FragmentSpread: ({ name }) => {
      const fragment = fragments.get(name.value)
      if (fragment === undefined || opened.has(name.value)) return
      opened.add(name.value)
      names.push(...gather(fragment.selectionSet, fragments, opened))
    },
  })
  return names
}

export const variablesUsed = (set: SelectionSetNode, fragments: Fragments): ReadonlySet<string> =>
  new Set(gather(set, fragments, new Set()))
