// A function's raw arguments → their GraphQL names and types, or why they cannot be exposed.
import type { Argument } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawArgument, RawFunction } from './raw-catalog.ts'
import type { TypeLookup, ValueType } from './value-type.ts'

export type BuiltArguments = { readonly arguments: readonly Argument[] } | { readonly reason: string }

/** Hasura names unnamed arguments by their position. */
const nameOf = ({ name }: RawArgument, place: number): string => (name === '' ? `arg_${place + 1}` : name)

/** Lists of composites would need a cast for each. */
const isInput = ({ family, element }: ValueType): boolean => family !== 'composite' || element === undefined

const whyNot = (argument: Pick<Argument, 'name'>, type: ValueType | undefined): string | undefined => {
  if (!isGraphqlName(argument.name))
    return `the name of its argument ${JSON.stringify(argument.name)} is no GraphQL name`
  return type !== undefined && isInput(type) ? undefined : `the type of its argument ${argument.name} cannot be given`
}

/** `raw`: the arguments that a caller passes. */
export const buildArguments = (
  { strict }: Pick<RawFunction, 'strict'>,
  raw: readonly RawArgument[],
  types: TypeLookup,
): BuiltArguments => {
  const lastUnnamed = raw.findLastIndex(({ name }) => name === '')
  const built: Argument[] = []
  for (const [place, one] of raw.entries()) {
    const name = nameOf(one, place)
    const type = types(one.type)
    const reason = built.some(other => other.name === name)
      ? `two of its arguments are called ${name}`
      : whyNot({ name }, type)
    if (reason !== undefined || type === undefined) return { reason: reason ?? '' }
    const { hasDefault, variadic } = one
    built.push({ name, type, hasDefault, nullable: !strict && !variadic, variadic, positional: place <= lastUnnamed })
  }
  return { arguments: built }
}
