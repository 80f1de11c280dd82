// Fields → the names of the variables that they use, including in their fragments.
import { type FragmentDefinitionNode, type SelectionSetNode, visit } from 'graphql'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** `opened` is mutated: each fragment is visited once. */
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
