// A document's text → parsed, measured, validated operations; or an error that says what to change.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  GraphQLID,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLSchema,
  getNullableType,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  Source,
  TokenKind,
  typeFromAST,
  type ValueNode,
  validate,
} from 'graphql'
import type { Grant } from '../access/grant.ts'
import { DocumentErrors } from './document-errors.ts'
import { checkFieldMerges } from './limits/field-merge.ts'
import { limits } from './limits/limits.ts'
import { measureDocument } from './limits/measure-document.ts'
import { obviouslyBrokenRule } from './limits/obvious-errors.ts'
import { rulesFor } from './limits/rules-for.ts'
import { type PageVariables, pageVariables } from './page-variables.ts'
import { type RequiredVariables, requiredVariables } from './plan/required-variables.ts'
import type { RefusedDocuments } from './refused-documents.ts'
import { explainUnsendable } from './schema/unsendable-columns.ts'

export interface VariableDefinition {
  readonly name: string
  readonly type: GraphQLInputType
  readonly fallback: ValueNode | undefined
  /** For a page size, an offset or a global id, the value is part of the shape, as it affects statement or cost. */
  readonly role: 'limit' | 'offset' | 'node' | undefined
}

export interface Operation {
  readonly definition: OperationDefinitionNode
  readonly variables: readonly VariableDefinition[]
}

export interface PreparedDocument {
  readonly node: DocumentNode
  readonly operations: ReadonlyMap<string, Operation>
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly required: RequiredVariables
}

interface Memory {
  readonly schema: GraphQLSchema
  readonly documents: {
    get(text: string): PreparedDocument | undefined
    set(text: string, document: PreparedDocument): void
  }
  readonly refused: RefusedDocuments
}

const tooManyTokens = (): GraphQLError =>
  new GraphQLError(
    `The document has more than ${limits.tokens} tokens; the maximum is ${limits.tokens}. Split it into several requests.`,
    { extensions: { code: 'too-many-tokens' } },
  )

/** Whether the parser runs out of tokens or of stack first depends on how far it has been optimised; the response must not. */
const hasTooManyTokens = (text: string): boolean => {
  const lexer = new Lexer(new Source(text))
  try {
    for (let count = 0; count <= limits.tokens; count += 1) if (lexer.advance().kind === TokenKind.EOF) return false
    return true
  } catch {
    // Deep enough to exhaust the stack before the place where it is not even made of tokens.
    return false
  }
}

const parseText = (text: string): DocumentNode => {
  try {
    return parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    if (error instanceof RangeError && hasTooManyTokens(text)) throw tooManyTokens()
    if (error instanceof RangeError)
      throw new GraphQLError(`The document nests too deeply; the maximum is ${limits.depth} fields.`, {
        extensions: { code: 'too-deep' },
      })
    if (!(error instanceof GraphQLError)) throw error
    if (/more tha[nt] \d+ tokens/.test(error.message)) throw tooManyTokens()
    throw new GraphQLError(error.message, {
      source: error.source ?? null,
      positions: error.positions ?? null,
      extensions: { code: 'parse-failed' },
    })
  }
}

/** Enough to fix a document, and no more: each error may search all names for a similar one. */
const FEW = 5

const explained = (error: GraphQLError, schema: GraphQLSchema): GraphQLError => {
  const message = explainUnsendable(schema, error.message)
  return message === error.message ? error : new GraphQLError(message, { nodes: error.nodes ?? null })
}

const findErrors = (node: DocumentNode, schema: GraphQLSchema, text: string): readonly GraphQLError[] => {
  const broken = obviouslyBrokenRule(node, schema)
  const obvious = broken === undefined ? [] : validate(schema, node, [broken], { maxErrors: FEW })
  if (obvious.length > 0) return obvious
  return validate(schema, node, rulesFor(text), { maxErrors: FEW }).map(error => explained(error, schema))
}

/** Nothing but `node(id:)` takes an ID. */
const roleOf = (type: GraphQLInputType, page: 'limit' | 'offset' | undefined): VariableDefinition['role'] => {
  const plain = getNullableType(type)
  if (plain === GraphQLID) return 'node'
  return plain === GraphQLInt ? page : undefined
}

const readOperation = (
  definition: OperationDefinitionNode,
  schema: GraphQLSchema,
  pages: PageVariables,
): Operation => ({
  definition,
  variables: (definition.variableDefinitions ?? []).map(({ variable, type: written, defaultValue }) => {
    const name = variable.name.value
    const type = typeFromAST(schema, written) as GraphQLInputType
    return { name, type, fallback: defaultValue, role: roleOf(type, pages.get(name)) }
  }),
})

/** @throws GraphQLError, or DocumentErrors when there are several. */
export const prepareDocument = (text: string, schema: GraphQLSchema): PreparedDocument => {
  const node = parseText(text)
  measureDocument(node)
  const errors = findErrors(node, schema, text)
  if (errors.length > 0) throw new DocumentErrors(errors)
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of node.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  checkFieldMerges(node, fragments)
  const pagesOf = pageVariables(node)
  const operations = new Map<string, Operation>()
  for (const one of node.definitions)
    if (one.kind === Kind.OPERATION_DEFINITION)
      operations.set(one.name?.value ?? '', readOperation(one, schema, pagesOf(one)))
  return { node, operations, fragments, required: requiredVariables(node, schema) }
}

/** Cached as long as the structure. */
export const documentOf = (
  { documents, refused, schema }: Memory,
  text: string,
  { scopeKey }: Pick<Grant, 'scopeKey'>,
): PreparedDocument => {
  const known = documents.get(text)
  if (known !== undefined) return known
  const document = refused.unlessRefused({ scopeKey, stage: 'document', text }, () => prepareDocument(text, schema))
  documents.set(text, document)
  return document
}

export const chooseOperation = ({ operations }: PreparedDocument, name: string | undefined): Operation => {
  const [first] = operations.values()
  const found = name === undefined || name === '' ? (operations.size === 1 ? first : undefined) : operations.get(name)
  if (found !== undefined) return found
  const names = [...operations.keys()].filter(one => one !== '').join(', ')
  throw new GraphQLError(
    name === undefined || name === ''
      ? `The document has ${operations.size} operations. Say which with operationName: ${names}.`
      : `The document has no operation ${JSON.stringify(name)}${names === '' ? '' : `, but ${names}`}.`,
    { extensions: { code: 'unknown-operation' } },
  )
}

/** Of all operations, or of the one with this name. Nothing, if the document cannot be read: that is told elsewhere. */
const kindsOf = (text: string, name: string | undefined): readonly OperationTypeNode[] => {
  try {
    return parse(text, { maxTokens: limits.tokens }).definitions.flatMap(node =>
      node.kind === Kind.OPERATION_DEFINITION && (name === undefined || node.name?.value === name)
        ? [node.operation]
        : [],
    )
  } catch {
    return []
  }
}

const otherKinds = /\b(?:mutation|subscription)\b/

/** For GET, which must not change anything: whether the document has anything but queries. */
export const asksForChange = (text: string, name: string | undefined): boolean => {
  return otherKinds.test(text) && kindsOf(text, name).some(kind => kind !== 'query')
}

/** Whether the operation goes on and on. */
export const isSubscription = (text: string, name: string | undefined): boolean =>
  text.includes('subscription') && kindsOf(text, name || undefined).some(kind => kind === 'subscription')
