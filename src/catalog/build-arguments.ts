// A function's raw arguments → their GraphQL names and types, or why they cannot be exposed.
import type { Argument, RowArgument } from './model.ts'
import { isGraphqlName } from './names.ts'
import type { RawArgument, RawFunction } from './raw-catalog.ts'
import type { TypeLookup, ValueType } from './value-type.ts'

export type BuiltArguments =
  | { readonly arguments: readonly Argument[]; readonly row: RowArgument | undefined }
  | { readonly reason: string }

/** As in Hasura, unnamed arguments are numbered among themselves. */
const givenNames = (raw: readonly RawArgument[]): string[] => {
  let unnamed = 0
  return raw.map(({ name }) => {
    if (name === '') unnamed += 1
    return name === '' ? `arg_${unnamed}` : name
  })
}

/** Lists of composites would need a cast for each. */
const isInput = ({ family, element }: ValueType): boolean => family !== 'composite' || element === undefined

const whyNot = (argument: Pick<Argument, 'name'>, type: ValueType | undefined): string | undefined => {
  if (!isGraphqlName(argument.name))
    return `the name of its argument ${JSON.stringify(argument.name)} is no GraphQL name`
  return type !== undefined && isInput(type) ? undefined : `the type of its argument ${argument.name} cannot be given`
}

/** All arguments that have no name in the database, and those before them, are passed by position. */
const rowArgument = (raw: readonly RawArgument[], place: number): RowArgument => {
  const positional = place === 0 || raw.findLastIndex(({ name }) => name === '') >= place
  return { place, name: positional ? undefined : raw[place]?.name }
}

/** `rowAt`: where the function takes the row that it is a field of; a caller passes the others. */
export const buildArguments = (
  { strict, arguments: raw }: Pick<RawFunction, 'strict' | 'arguments'>,
  types: TypeLookup,
  rowAt?: number,
): BuiltArguments => {
  const row = rowAt === undefined ? undefined : rowArgument(raw, rowAt)
  const passed = raw.filter((_, place) => place !== rowAt)
  const names = givenNames(passed)
  const lastUnnamed = passed.findLastIndex(({ name }) => name === '')
  const built: Argument[] = []
  for (const [place, one] of passed.entries()) {
    const name = names[place] ?? ''
    const type = types(one.type)
    const reason = built.some(other => other.name === name)
      ? `two of its arguments are called ${name}`
      : whyNot({ name }, type)
    if (reason !== undefined || type === undefined) return { reason: reason ?? '' }
    const beforeRow = row !== undefined && row.name === undefined && place < row.place
    built.push({
      name,
      type,
      // What stands before a row that is passed by position cannot be left out.
      hasDefault: one.hasDefault && !beforeRow,
      nullable: !strict && !one.variadic,
      variadic: one.variadic,
      positional: place <= lastUnnamed || beforeRow,
    })
  }
  return { arguments: built, row }
}
