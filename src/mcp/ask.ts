// A GraphQL operation → its data, under the grant of whoever calls the tool: the same plans, policies and limits as for apps.
import type { Grant } from '../access/grant.ts'
import { isWriteScope, scopeKeyOf } from '../access/scopes.ts'
import { isPlainText, withoutUnseen } from '../base/plain-text.ts'
import { asksForChange } from '../graphql/document.ts'
import { type Endpoint, runOperations } from '../graphql/entrance/entrance.ts'
import type { IncomingRequest } from '../graphql/entrance/transport.ts'
import { usageEvents } from '../graphql/entrance/usage-events.ts'
import { errorCode, refusalOf } from '../graphql/errors.ts'
import type { Outcome } from '../graphql/outcome.ts'
import { ToolRefusal } from './tool-refusal.ts'

/** One HTTP request to the endpoint for assistants, and under whose grant. */
export interface Visit {
  readonly request: IncomingRequest
  readonly grant: Grant
}

interface Operation {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /** Tries a mutation, and keeps nothing of it. */
  readonly dryRun?: boolean
  /** The document is not ours: it may only read. */
  readonly readOnly?: boolean
}

/** @throws {ToolRefusal} if the operation was refused; whatever else went wrong is an internal error. */
export type Ask = <Data>(operation: Operation) => Promise<Data>

const note = (endpoint: Endpoint, { grant }: Visit, query: string, outcome: Outcome, started: number): void => {
  const milliseconds = performance.now() - started
  for (const event of usageEvents(grant, [{ query, variables: {}, operationName: undefined }], [outcome], milliseconds))
    endpoint.telling.record(event)
  if ('result' in outcome) endpoint.telling.meter?.answered(outcome.result.cached.counted, 'database', milliseconds)
  else endpoint.telling.meter?.failed(errorCode(outcome.error))
}

const READ_ONLY = 'This tool only reads. Use the tools for changes, which try a change first.'

/** Whatever the document says, it cannot write. */
const reading = (grant: Grant): Grant => {
  if (![...grant.scopes].some(isWriteScope)) return grant
  const scopes = new Set([...grant.scopes].filter(scope => !isWriteScope(scope)))
  return { ...grant, scopes, scopeKey: scopeKeyOf(scopes) }
}

const run = async (endpoint: Endpoint, visit: Visit, operation: Operation): Promise<Outcome> => {
  const { engine, admission } = endpoint
  const { query, variables = {}, dryRun = false, readOnly = false } = operation
  const sent = { query, variables, operationName: undefined }
  if (readOnly && asksForChange(query, undefined)) throw new ToolRefusal(READ_ONLY)
  const { request } = visit
  const { id, abandoned } = request
  const grant = readOnly ? reading(visit.grant) : visit.grant
  const who = admission.whoOf?.(request) ?? grant.appId ?? ''
  const started = performance.now()
  const waiting = admission.turns.take(who, abandoned)
  if (waiting !== undefined) await waiting
  try {
    const changing = { requestId: id, dryRun, idempotencyKey: () => undefined }
    const asking = {
      grant,
      who,
      abandoned,
      since: started,
      allowance: admission.allowanceOf?.(grant, request),
      changing,
    }
    const [outcome] = await runOperations(engine, [sent], asking)
    if (outcome === undefined) throw new Error('an operation without an outcome')
    note(endpoint, visit, query, outcome, started)
    return outcome
  } finally {
    admission.turns.release(who)
  }
}

/** Direction marks and control characters would let a text look like something else to whoever reads the answer. */
const clean = (_name: string, value: unknown): unknown => (typeof value === 'string' ? withoutUnseen(value) : value)

/** Of control characters: those with a letter, and all others. Lines and tabs stay. */
const escaped = /\\[bfu]/

/** Without the marks, which hardly any answer has, it takes a quarter of the time. */
const read = (json: string) => (isPlainText(json) && !escaped.test(json) ? JSON.parse(json) : JSON.parse(json, clean))

const explain = (error: unknown): unknown => {
  const refusal = refusalOf(error)
  if (refusal === undefined || refusal.status >= 500) return error
  return new ToolRefusal(refusal.errors.map(({ message }) => message).join(' '), { cause: error })
}

export const createAsk =
  (endpoint: Endpoint, visit: Visit): Ask =>
  async operation => {
    const outcome = await run(endpoint, visit, operation)
    if ('error' in outcome) throw explain(outcome.error)
    return read(outcome.result.data)
  }
