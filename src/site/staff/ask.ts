// A GraphQL document → its data, for the person who visits the page: the same plans, policies and audit trail as for apps.
import type { Grant } from '../../access/grant.ts'
import { allScopes, scopeKeyOf } from '../../access/scopes.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { runOperations } from '../../graphql/entrance/entrance.ts'
import { refusalOf } from '../../graphql/errors.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { refusalWords, ruleOf } from './refusals/refusal-words.ts'

interface Question {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Tries a mutation, and keeps nothing of it. */
  readonly dryRun?: boolean
}

/** What was refused; nothing was written. */
export interface Refused {
  /** In the language of the page. */
  readonly message: string
  /** Its name, to tell one refusal from another. */
  readonly rule: string
  readonly code: string
  /** Which object and column of the input, as in the errors that apps get. */
  readonly path: readonly (string | number)[]
  readonly extensions: Readonly<Record<string, unknown>>
}

type Answered<Data> = { readonly data: Data } | { readonly refused: Refused }

const scopes = new Set(allScopes)
const scopeKey = scopeKeyOf(allScopes)

/** A person on our own pages has every scope: what they see and write is decided by row-level security. */
const grantOf = (userId: string): Grant => ({
  kind: 'user',
  credential: 'none',
  environment: 'live',
  appId: undefined,
  clientId: undefined,
  userId,
  keyId: undefined,
  tokenId: undefined,
  grantId: undefined,
  scopes,
  scopeKey,
  masjids: [],
  ownMasjids: [],
  expiresAt: undefined,
})

/** Beyond every position in the log: a replica never has it, so that a page always shows what was just written. */
const NEWEST = 2n ** 64n

/** Mistakes in what was sent; whatever else fails is a fault of ours, or the database's. */
const refusedCodes = new Set([
  'conflict',
  'constraint-violation',
  'not-permitted',
  'too-many-rows',
  'validation-failed',
])

const refusedBy = (error: unknown, view: View): Refused => {
  const [first] = refusalOf(error)?.errors ?? []
  const code = String(first?.extensions.code ?? '')
  if (first === undefined || !refusedCodes.has(code)) throw error
  const { path = [], extensions } = first
  return { message: refusalWords(view, first), rule: ruleOf(extensions), code, path, extensions }
}

/** @throws whatever is not a mistake of the person. */
export const ask = async <Data>(
  engine: Engine,
  { session, request, view }: SignedInVisit,
  { query, variables = {}, dryRun = false }: Question,
): Promise<Answered<Data>> => {
  const asking = {
    grant: grantOf(session.user.id),
    who: session.user.id,
    since: performance.now(),
    position: NEWEST,
    changing: { requestId: request.id, dryRun, idempotencyKey: () => undefined },
  }
  const [outcome] = await runOperations(engine, [{ query, variables, operationName: undefined }], asking)
  if (outcome === undefined) throw new Error('an operation without an outcome')
  return 'error' in outcome ? { refused: refusedBy(outcome.error, view) } : { data: JSON.parse(outcome.result.data) }
}

/** For reading, where nothing can be refused. */
export const read = async <Data>(engine: Engine, visit: SignedInVisit, question: Question): Promise<Data> => {
  const answered = await ask<Data>(engine, visit, question)
  if ('refused' in answered) throw new Error(`${answered.refused.rule}: ${answered.refused.message}`)
  return answered.data
}
