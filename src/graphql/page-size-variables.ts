// A document → for each operation the variables that it uses as a page size, in the fragments that it opens too.
import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql'

/** What a definition itself names: a fragment is looked through once, however many operations open it. */
interface Named {
  readonly sizes: readonly string[]
  readonly fragments: readonly string[]
}

const namedIn = (definition: OperationDefinitionNode | FragmentDefinitionNode): Named => {
  const sizes: string[] = []
  const fragments: string[] = []
  visit(definition, {
    Argument: ({ name, value }) => {
      if (name.value === 'limit' && value.kind === Kind.VARIABLE) sizes.push(value.name.value)
    },
    FragmentSpread: ({ name }) => {
      fragments.push(name.value)
    },
  })
  return { sizes, fragments }
}

/** `opened` grows: each fragment counts once. */
const gather = (named: Named, known: ReadonlyMap<string, Named>, opened: Set<string>): string[] => [
  ...named.sizes,
  ...named.fragments.flatMap(name => {
    const fragment = known.get(name)
    if (fragment === undefined || opened.has(name)) return []
    opened.add(name)
    return gather(fragment, known, opened)
  }),
]

export type PageSizeVariables = (operation: OperationDefinitionNode) => ReadonlySet<string>

export const pageSizeVariables = ({ definitions }: DocumentNode): PageSizeVariables => {
  const known = new Map<string, Named>()
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) known.set(one.name.value, namedIn(one))
  return operation => new Set(gather(namedIn(operation), known, new Set()))
}
