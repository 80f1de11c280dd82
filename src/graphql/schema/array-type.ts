// A list that is one value, of a PostgreSQL array type → takes text too, as PostgreSQL writes an array. Other lists are of several values.
import {
  GraphQLList,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type ValidationRule,
  type ValueNode,
  validateInputLiteral,
} from 'graphql'

export class ArrayType<T extends GraphQLType> extends GraphQLList<T> {}

/** As in Hasura. Any other text stands for a list of one. */
export const isArrayText = (value: unknown): value is string => typeof value === 'string' && value.startsWith('{')

/** A single value may stand where a list is expected: then the list has no step of its own. */
const typeAt = (type: GraphQLType, path: readonly (string | number)[]): GraphQLType | undefined =>
  path.reduce<GraphQLType | undefined>((at, step) => {
    if (at === undefined) return undefined
    const plain = getNullableType(at)
    if (typeof step === 'number') return isListType(plain) ? plain.ofType : undefined
    const named = getNamedType(plain)
    return isInputObjectType(named) ? named.getFields()[step]?.type : undefined
  }, type)

const isArrayLiteral = (node: unknown, type: GraphQLType | undefined): boolean => {
  const value = node as ValueNode | undefined
  return value?.kind === Kind.STRING && isArrayText(value.value) && getNullableType(type) instanceof ArrayType
}

const valueKinds = ['NullValue', 'ObjectValue', 'EnumValue', 'IntValue', 'FloatValue', 'StringValue', 'BooleanValue']

/** The rule of graphql-js (section 5.6.1), but for text that is an array. */
export const valuesOfCorrectType: ValidationRule = context => {
  const check = (node: ValueNode, type: GraphQLType | undefined | null): false => {
    if (type)
      validateInputLiteral(
        node,
        type as never,
        (error, path) => {
          if (!isArrayLiteral(error.nodes?.[0], typeAt(type, path))) context.reportError(error)
        },
        undefined,
        undefined,
        context.hideSuggestions,
      )
    return false
  }
  return {
    ...Object.fromEntries(valueKinds.map(kind => [kind, (node: ValueNode) => check(node, context.getInputType())])),
    ListValue: node => check(node, context.getParentInputType()),
  }
}

/** The value of a variable with an empty list for each text that is an array: the type of the variable itself does not tell. */
export const withoutArrayTexts = (value: unknown, type: GraphQLType, isVariable = true): unknown => {
  const plain = getNullableType(type)
  if (isListType(plain)) {
    if (Array.isArray(value)) return value.map(item => withoutArrayTexts(item, plain.ofType, false))
    const isArray = plain instanceof ArrayType || (isVariable && isLeafType(getNamedType(plain)))
    return isArray && isArrayText(value) ? [] : withoutArrayTexts(value, plain.ofType, false)
  }
  if (!isInputObjectType(plain) || typeof value !== 'object' || value === null) return value
  const fields = plain.getFields()
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined
      return [name, known === undefined ? field : withoutArrayTexts(field, known.type, false)]
    }),
  )
}
