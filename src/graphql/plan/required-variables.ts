// A document → the variables in non-null positions, by the field or directive that takes them. A nullable variable with a
// default is allowed there, and only its value tells whether it is null.
// https://spec.graphql.org/draft/#sec-All-Variable-Usages-Are-Allowed
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isNullInput, readInput, type Variables } from './input.ts'

type Taker = FieldNode | DirectiveNode

interface RequiredVariable {
  readonly node: VariableNode
  /** The type of its position. */
  readonly type: string
}

export type RequiredVariables = ReadonlyMap<Taker, readonly RequiredVariable[]>

const mayBeNull = ({ definitions }: DocumentNode): boolean =>
  definitions.some(
    one =>
      one.kind === Kind.OPERATION_DEFINITION &&
      one.variableDefinitions?.some(({ type }) => type.kind !== Kind.NON_NULL_TYPE),
  )

const NONE: RequiredVariables = new Map()

/** `document` has been validated. */
export const requiredVariables = (document: DocumentNode, schema: GraphQLSchema): RequiredVariables => {
  if (!mayBeNull(document)) return NONE
  const found = new Map<Taker, RequiredVariable[]>()
  const types = new TypeInfo(schema)
  // A field's arguments come before its directives and sub-fields, so the taker is the one entered last.
  let taker: Taker | undefined
  const enter = (node: Taker): void => {
    taker = node
  }
  visit(
    document,
    visitWithTypeInfo(types, {
      VariableDefinition: () => false,
      Field: enter,
      Directive: enter,
      Variable: node => {
        const type = types.getInputType()
        if (taker === undefined || !isNonNullType(type)) return
        const known = found.get(taker) ?? []
        known.push({ node, type: String(type) })
        found.set(taker, known)
      },
    }),
  )
  return found
}

const refuse = ({ node, type }: RequiredVariable): GraphQLError =>
  new GraphQLError(
    `Variable "$${node.name.value}" has invalid value: it is null where "${type}" is expected. Provide a value, or omit it.`,
    { nodes: [node], extensions: { code: 'bad-variables' } },
  )

interface Known {
  readonly required: RequiredVariables
  readonly variables: Variables
}

/** @throws GraphQLError if one that the field or directive needs is null (CoerceArgumentValues, section 6.4.1). */
export const checkRequired = ({ required, variables }: Known, taker: Taker): void => {
  for (const one of required.get(taker) ?? []) {
    const input = readInput(one.node, variables)
    if (input !== undefined && isNullInput(input)) throw refuse(one)
  }
}
