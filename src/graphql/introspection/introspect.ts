// Introspection fields → their results as JSON, showing what the credential may read. A result is cached by what was
// asked, not by how it was written: another alias, fragment or order of definitions finds it again.
import { hash } from 'node:crypto'
import {
  type GraphQLField,
  getVariableValues,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type VariableValues,
} from 'graphql'
import type { Grant } from '../../access/grant.ts'
import type { SchemaValues } from '../bind.ts'
import type { Operation, PreparedDocument } from '../document.ts'
import { DocumentErrors } from '../document-errors.ts'
import type { VariableValues as GivenValues } from '../encode-value.ts'
import type { CollectedField } from '../plan/collected-field.ts'
import type { Structure } from '../structure.ts'
import { type AskedField, readField, type SelectionContext } from './read-selection.ts'
import { schemaFor, viewKeyOf } from './schema-for.ts'
import { variablesUsed } from './variables-used.ts'
import { writeSlice } from './write-slice.ts'

export interface Question {
  readonly structure: Structure
  readonly grant: Grant
  readonly document: PreparedDocument
  readonly operation: Operation
  readonly variables: GivenValues
}

const merged = ({ selections }: CollectedField): SelectionSetNode => ({
  kind: Kind.SELECTION_SET,
  selections: selections.flatMap(set => set.selections),
})

/** Only the variables that are used: the types of others may be invisible to the credential. */
const readVariables = (question: Question, fields: readonly CollectedField[]): VariableValues | undefined => {
  const { structure, grant, document, operation, variables } = question
  const declared = operation.definition.variableDefinitions ?? []
  if (declared.length === 0) return undefined
  const selections = fields.map(field => ({ ...field.node, selectionSet: merged(field) }))
  const used = variablesUsed({ kind: Kind.SELECTION_SET, selections }, document.fragments)
  const wanted = declared.filter(({ variable }) => used.has(variable.name.value))
  const read = getVariableValues(schemaFor(structure, grant), wanted, variables)
  if (read.errors !== undefined) throw new DocumentErrors(read.errors)
  return read.variableValues
}

const rootFields: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  [SchemaMetaFieldDef.name]: SchemaMetaFieldDef,
  [TypeMetaFieldDef.name]: TypeMetaFieldDef,
}

const LONGEST_KEY = 200

/** What is asked, without the response key. */
const keyOf = (grant: Grant, { field, given, parts }: AskedField): string => {
  const shape = `${field.name}${JSON.stringify(given)}${parts?.shape}`
  return `${viewKeyOf(grant)}\n${shape.length > LONGEST_KEY ? hash('sha256', shape, 'base64') : shape}`
}

const sliceOf = ({ structure, grant }: Question, asked: AskedField): string => {
  const key = keyOf(grant, asked)
  const known = structure.introspections.get(key)
  if (known !== undefined) return known
  const json = writeSlice(schemaFor(structure, grant), asked)
  structure.introspections.set(key, json)
  return json
}

const NONE: SchemaValues = new Map()

export const introspect = (question: Question, fields: readonly CollectedField[]): SchemaValues => {
  if (fields.length === 0) return NONE
  const context: SelectionContext = {
    fragments: question.document.fragments,
    variables: readVariables(question, fields),
    known: new Map(),
  }
  return new Map(
    fields.map(asked => {
      const field = rootFields[asked.name] as GraphQLField<unknown, unknown>
      return [asked.key, sliceOf(question, readField(context, field, asked))]
    }),
  )
}
