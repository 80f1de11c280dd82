// Questions about the schema → their answers as JSON, showing what the credential may read; remembered per set of scopes.
import {
  executeSync,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Grant } from '../access/grant.ts'
import { visibleTo } from '../catalog/visible-to.ts'
import type { SchemaValues } from './bind.ts'
import type { Operation, PreparedDocument } from './document.ts'
import { toJson, type VariableValues } from './encode-value.ts'
import type { CollectedField } from './plan/collected-field.ts'
import { buildGraphqlSchema } from './schema/build-schema.ts'
import type { Structure } from './structure.ts'
import { variablesUsed } from './variables-used.ts'

export const schemaFor = (structure: Structure, grant: Grant): GraphQLSchema => {
  const known = structure.views.get(grant.scopeKey)
  if (known !== undefined) return known
  const view = buildGraphqlSchema(visibleTo(structure.model, grant.scopes))
  structure.views.set(grant.scopeKey, view)
  return view
}

const mergedNode = ({ key, node, selections }: CollectedField): FieldNode => ({
  ...node,
  alias: { kind: Kind.NAME, value: key },
  selectionSet: { kind: Kind.SELECTION_SET, selections: selections.flatMap(set => set.selections) },
})

/** Only with the variables that are used: the types of others may be none that the credential sees. */
const operationOf = ({ document, operation }: Question, fields: readonly CollectedField[]): OperationDefinitionNode => {
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: fields.map(mergedNode) }
  const used = variablesUsed(selectionSet, document.fragments)
  const { variableDefinitions = [], ...definition } = operation.definition
  const declared = variableDefinitions.filter(({ variable }) => used.has(variable.name.value))
  return { ...definition, variableDefinitions: declared, selectionSet }
}

export interface Question {
  readonly structure: Structure
  readonly grant: Grant
  readonly text: string
  readonly document: PreparedDocument
  readonly operation: Operation
  readonly variables: VariableValues
}

const ask = (question: Question, fields: readonly CollectedField[]) => {
  const { structure, grant, document, variables } = question
  const result = executeSync({
    schema: schemaFor(structure, grant),
    document: {
      kind: Kind.DOCUMENT,
      definitions: [operationOf(question, fields), ...document.fragments.values()],
    },
    variableValues: variables,
  })
  if (result.errors !== undefined) throw new GraphQLError(result.errors[0]?.message ?? 'the schema cannot be shown')
  return result.data ?? {}
}

const NONE: SchemaValues = new Map()

export const introspect = (question: Question, fields: readonly CollectedField[]): SchemaValues => {
  if (fields.length === 0) return NONE
  const { structure, grant, text, operation, variables } = question
  const key = `${grant.scopeKey}\n${operation.definition.name?.value ?? ''}\n${toJson(variables)}\n${text}`
  const known = structure.introspections.get(key)
  if (known !== undefined) return known
  const answers = new Map(Object.entries(ask(question, fields)).map(([name, answer]) => [name, JSON.stringify(answer)]))
  structure.introspections.set(key, answers)
  return answers
}
