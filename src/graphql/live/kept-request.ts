// What a subscription was opened with → what is kept of it while it is open: its operation, and the variables that this declares.
import { print, separateOperations } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import { pickExact } from '../../base/exact-json.ts'
import { chooseOperation, documentOf, type PreparedDocument } from '../document.ts'
import type { GraphqlRequest } from '../request.ts'
import type { Structure } from '../structure.ts'

/** A shorter text is kept as it is, without looking for what else is in it. */
const SHORT = 2000

/** Without comments, and without other operations and what only they use. */
const operationText = ({ node }: PreparedDocument, { query, operationName }: GraphqlRequest): string => {
  if (query.length <= SHORT) return query
  const operations = separateOperations(node)
  const own = operationName ? operations[operationName] : Object.values(operations)[0]
  return own === undefined ? query : print(own)
}

/** @throws like `prepare`, for a document that is refused. */
export const keptRequest = (structure: Structure, request: GraphqlRequest, grant: Grant): GraphqlRequest => {
  const document = documentOf(structure, request.query, grant)
  const { variables } = chooseOperation(document, request.operationName)
  const names = variables.map(({ name }) => name)
  return {
    query: operationText(document, request),
    operationName: request.operationName,
    variables: pickExact(request.variables, names),
  }
}
