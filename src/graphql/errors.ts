// Every error code of a response → its HTTP status, if the client accepts application/graphql-response+json.
// https://graphql.github.io/graphql-over-http/draft/#sec-Status-Codes
import { GraphQLError } from 'graphql'
import { Fault } from '../base/fault.ts'
import type { FaultCode } from '../base/fault-catalogue.ts'
import { DocumentErrors } from './document-errors.ts'
import type { GraphqlErrorCode } from './error-code.ts'

/** All others are 400. */
const statuses: Partial<Record<GraphqlErrorCode, number>> = {
  'insufficient-scope': 403,
  'not-permitted': 403,
  'sandbox-read-only': 403,
  conflict: 409,
  'idempotency-key-in-use': 409,
  'idempotency-key-reused': 422,
  'method-not-allowed': 405,
  'not-acceptable': 406,
  'unsupported-media-type': 415,
  'too-many-subscriptions': 429,
  PERSISTED_QUERY_NOT_FOUND: 200,
}

export interface ShownError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: FaultCode; readonly [more: string]: unknown }
}

export interface Refusal {
  readonly status: number
  readonly errors: readonly ShownError[]
  readonly headers: Readonly<Record<string, string>>
  /** The request was well-formed; its document, variables or values were wrong. */
  readonly isDocument: boolean
}

const challenge = (errors: readonly ShownError[]): Record<string, string> => {
  const scopes = errors.flatMap(({ extensions }) => (extensions.scopes as readonly string[] | undefined) ?? [])
  if (scopes.length === 0) return {}
  const scope = [...new Set(scopes)].join(' ')
  return { 'www-authenticate': `Bearer realm="minaret", error="insufficient_scope", scope="${scope}"` }
}

/** Messages quote the document, which may contain a literal of any length. */
const LONGEST_MESSAGE = 1000

const shorten = (message: string): string =>
  message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message

const show = ({ message, locations, path, extensions }: GraphQLError): ShownError => ({
  message: shorten(message),
  ...(locations === undefined ? {} : { locations }),
  ...(path === undefined ? {} : { path }),
  extensions: { ...extensions, code: (extensions.code as FaultCode | undefined) ?? 'validation-failed' },
})

const fromErrors = (errors: readonly GraphQLError[]): Refusal => {
  const shown = errors.map(show)
  const status = statuses[shown[0]?.extensions.code as GraphqlErrorCode] ?? 400
  return { status, errors: shown, headers: status === 403 ? challenge(shown) : {}, isDocument: true }
}

/** A cached refusal. */
export class KnownRefusal extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('refused before')
    this.refusal = refusal
  }
}

/** Undefined: nothing that the caller could have done differently. */
export const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof KnownRefusal) return error.refusal
  if (error instanceof GraphQLError) return fromErrors([error])
  if (error instanceof DocumentErrors) return fromErrors(error.errors)
  if (!(error instanceof Fault)) return undefined
  const { status, message, code, headers } = error
  return { status, errors: [{ message, extensions: { code } }], headers, isDocument: false }
}

/** What it is counted as: the code of the first error that the caller is told. */
export const errorCode = (error: unknown): FaultCode => refusalOf(error)?.errors[0]?.extensions.code ?? 'unexpected'

/** For all operations of a batch together: each of them gets it, as clients expect one response each. */
export class BatchFault extends Fault {
  readonly operations: number
  constructor(fault: Fault, operations: number) {
    const { code, status, message, detail, headers, cause } = fault
    super({ code, status, message, detail, headers, cause })
    this.operations = operations
  }
}

export const fault = (code: GraphqlErrorCode, message: string, headers: Record<string, string> = {}): Fault =>
  new Fault({ code, status: statuses[code] ?? 400, message, headers })

export const subscriptionElsewhere = (): GraphQLError =>
  new GraphQLError(
    'A subscription goes on and on: send it with "Accept: text/event-stream", or over a WebSocket with the protocol graphql-transport-ws.',
    { extensions: { code: 'subscription-elsewhere' satisfies GraphqlErrorCode } },
  )
