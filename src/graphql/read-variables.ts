// The variables of a request → checked values, and their shape for the planner.
import { GraphQLError, type GraphQLInputType, type GraphQLSchema, getVariableValues } from 'graphql'
import type { Operation, VariableDefinition } from './document.ts'
import { DocumentErrors } from './document-errors.ts'
import type { VariableValues } from './encode-value.ts'
import { measureVariable } from './limits/measure-document.ts'
import type { Variables } from './plan/input.ts'
import { knownNumber, knownOffset, knownTable, type Shape, shapeKey, shapeOf } from './plan/shape.ts'
import { withoutArrayTexts } from './schema/array-type.ts'
import { explainUnsendable } from './schema/unsendable-columns.ts'

export interface ReadVariables {
  /** As received, to keep every digit and the order of keys. */
  readonly values: VariableValues
  readonly shapes: Variables
  /** The same text for the same shape. */
  readonly key: string
}

const none: ReadVariables = { values: {}, shapes: { shapes: new Map(), defaults: new Map() }, key: '' }

const errorsIn = (schema: GraphQLSchema, { definition }: Operation, given: VariableValues) =>
  getVariableValues(schema, definition.variableDefinitions ?? [], given, { maxErrors: 20 }).errors

const withLists = ({ variables }: Operation, given: VariableValues): VariableValues => ({
  ...given,
  ...Object.fromEntries(
    variables
      .filter(({ name }) => Object.hasOwn(given, name))
      .map(({ name, type }) => [name, withoutArrayTexts(given[name], type)]),
  ),
})

/** Most values pass at once; GraphQL itself does not know arrays written as text. */
const check = (schema: GraphQLSchema, operation: Operation, given: VariableValues): void => {
  const errors = errorsIn(schema, operation, given) && errorsIn(schema, operation, withLists(operation, given))
  if (errors === undefined) return
  throw new DocumentErrors(
    errors.map(
      ({ message, nodes }) =>
        new GraphQLError(explainUnsendable(schema, message), {
          nodes: nodes ?? null,
          extensions: { code: 'bad-variables' },
        }),
    ),
  )
}

const shapeFor = (value: unknown, type: GraphQLInputType, role: VariableDefinition['role']): Shape => {
  if (role === undefined) return shapeOf(value, type)
  if (role === 'node') return knownTable(value)
  return role === 'limit' ? knownNumber(value) : knownOffset(value)
}

export const readVariables = (schema: GraphQLSchema, operation: Operation, given: VariableValues): ReadVariables => {
  if (operation.variables.length === 0) return none
  const shapes = new Map<string, Shape>()
  const defaults = new Map()
  for (const { name } of operation.variables) if (typeof given[name] === 'object') measureVariable(name, given[name])
  check(schema, operation, given)
  let key = ''
  for (const { name, type, fallback, role } of operation.variables) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined && fallback !== undefined) defaults.set(name, fallback)
    if (value === undefined) continue
    const shape = shapeFor(value, type, role)
    shapes.set(name, shape)
    key += `${name}=${shapeKey(shape)};`
  }
  return { values: given, shapes: { shapes, defaults }, key }
}
