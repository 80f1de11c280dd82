// A document → for each operation the variables that it uses as a page size or an offset, including in its fragments.
import { type DocumentNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, visit } from 'graphql'

type PageArgument = 'limit' | 'offset'

/** A variable that is both counts as a page size. */
export type PageVariables = ReadonlyMap<string, PageArgument>

/** What a definition itself names: a fragment is visited once, however many operations use it. */
interface Named {
  readonly variables: readonly (readonly [name: string, argument: PageArgument])[]
  readonly fragments: readonly string[]
}

const pageArguments: Readonly<Record<string, PageArgument | undefined>> = {
  limit: 'limit',
  first: 'limit',
  last: 'limit',
  batch_size: 'limit',
  max_affected: 'limit',
  offset: 'offset',
}

const namedIn = (definition: OperationDefinitionNode | FragmentDefinitionNode): Named => {
  const variables: [string, PageArgument][] = []
  const fragments: string[] = []
  visit(definition, {
    Argument: ({ name, value }) => {
      const argument = Object.hasOwn(pageArguments, name.value) ? pageArguments[name.value] : undefined
      if (value.kind === Kind.VARIABLE && argument !== undefined) variables.push([value.name.value, argument])
    },
    FragmentSpread: ({ name }) => {
      fragments.push(name.value)
    },
  })
  return { variables, fragments }
}

/** `opened` is mutated: each fragment counts once. */
const gather = (named: Named, known: ReadonlyMap<string, Named>, opened: Set<string>): Named['variables'] => [
  ...named.variables,
  ...named.fragments.flatMap(name => {
    const fragment = known.get(name)
    if (fragment === undefined || opened.has(name)) return []
    opened.add(name)
    return gather(fragment, known, opened)
  }),
]

const NONE: PageVariables = new Map()

const hasVariables = ({ definitions }: DocumentNode): boolean =>
  definitions.some(one => one.kind === Kind.OPERATION_DEFINITION && (one.variableDefinitions ?? []).length > 0)

export const pageVariables = (document: DocumentNode): ((operation: OperationDefinitionNode) => PageVariables) => {
  if (!hasVariables(document)) return () => NONE
  const known = new Map<string, Named>()
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) known.set(one.name.value, namedIn(one))
  return operation => {
    const found = gather(namedIn(operation), known, new Set())
    return new Map([...found].sort(([, one], [, other]) => (one < other ? 1 : -1)))
  }
}
