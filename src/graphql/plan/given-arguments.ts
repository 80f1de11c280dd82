// The `args` of a function → the value of each of its arguments.
import type { Argument } from '../../catalog/model.ts'
import { type Place, refuse } from './context.ts'
import { type Input, inputFields, inputSource, isNullInput } from './input.ts'
import type { GivenArgument, Value } from './plan.ts'

const searchWords = /(^|_)(search|query|pattern|term)(_|$)/

/** The search text of a function may be as long as a pattern. */
const measureOf = ({ name, type }: Argument): Pick<Value, 'measure'> =>
  type.family === 'text' && searchWords.test(name) ? { measure: { kind: 'search', name } } : {}

/** Null for an argument with a default counts as absent: the database's default applies only to omitted arguments. */
const isGiven = ({ hasDefault }: Argument, value: Input): boolean => !(hasDefault && isNullInput(value))

const givenValue = (argument: Argument, input: Input): Value => ({
  source: inputSource(input),
  type: argument.type,
  ...measureOf(argument),
  ...(argument.type.family === 'composite' ? { encoding: 'record' } : {}),
})

const missing = (place: Place, { name }: Argument, because: string): Error =>
  refuse(place, 'validation-failed', `The argument ${JSON.stringify(name)} is missing${because}.`)

/** GraphQL has no input that is nullable but required: that is checked here. */
const checkGiven = (place: Place, all: readonly Argument[], given: readonly GivenArgument[]): void => {
  const isThere = (one: Argument): boolean => given.some(({ argument }) => argument === one)
  const absent = all.filter(one => !isThere(one))
  const needed = absent.find(({ hasDefault }) => !hasDefault)
  if (needed !== undefined) throw missing(place, needed, '; null may be given for it')
  const skipped = absent.find(one => all.slice(all.indexOf(one)).some(later => later.positional && isThere(later)))
  if (skipped !== undefined) throw missing(place, skipped, ': one that comes after it has no name in the database')
}

/** In the order of the function's arguments. */
export const readGivenArguments = (
  place: Place,
  all: readonly Argument[],
  input: Input | undefined,
): GivenArgument[] => {
  const fields = new Map(input === undefined ? [] : inputFields(input))
  const given = all.flatMap(argument => {
    const value = fields.get(argument.name)
    return value === undefined || !isGiven(argument, value) ? [] : [{ argument, value: givenValue(argument, value) }]
  })
  checkGiven(place, all, given)
  return given
}
