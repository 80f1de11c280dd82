// Outcomes → status, headers and body of the HTTP response.
import type { CacheFacts } from '../answers/cache-facts.ts'
import { deprecationHeaders } from '../deprecation-headers.ts'
import { type Refusal, refusalOf, type ShownError } from '../errors.ts'
import { limits } from '../limits/limits.ts'
import type { Outcome, Result } from '../outcome.ts'
import type { MediaType } from './media-type.ts'

export interface WrittenOutcomes {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Writing {
  readonly media: MediaType
  /** The client asked for the cost of its operation. */
  readonly explain: boolean
  /** Of an answer from memory; undefined where no answers are kept. */
  readonly cache?: CacheFacts | undefined
  /** Statements are shown to developers, never in production. */
  readonly showSql: boolean
  /** When the structure was read: the start of the deprecation period of columns without a date. */
  readonly readOn: Date
  /** An internal error → an error with the id under which it is logged. */
  readonly unexpected: (error: unknown) => Refusal
}

const fewPeople = `Totals over fewer than ${limits.people} people are null, and groups of fewer are left out. At masjids that are not the app's own, totals are made of whole groups: see docs, "Totals over people".`

const extensionsOf = (
  { cached: { plan, statement, sources }, cost = plan.cost, dryRun = false }: Result,
  { explain, showSql, cache }: Pick<Writing, 'explain' | 'showSql' | 'cache'>,
): string => {
  if (!explain && !plan.totalsOverPeople && !dryRun) return ''
  const extensions = {
    ...(explain ? { cost: { rows: cost, maximum: limits.cost } } : {}),
    ...(explain && cache !== undefined ? { cache: cache.hit ? cache : { ...cache, kept: sources !== undefined } } : {}),
    ...(explain && showSql ? { sql: statement.text } : {}),
    ...(plan.totalsOverPeople ? { notes: [fewPeople] } : {}),
    ...(dryRun ? { dry_run: true } : {}),
  }
  return `,"extensions":${JSON.stringify(extensions)}`
}

const errorsBody = (errors: readonly ShownError[]): string => JSON.stringify({ errors })

export const resultBody = (result: Result, writing: Pick<Writing, 'explain' | 'showSql' | 'cache'>): string =>
  `{"data":${result.data}${extensionsOf(result, writing)}}`

const bodyOf = (outcome: Outcome, writing: Writing): string =>
  'result' in outcome
    ? resultBody(outcome.result, writing)
    : errorsBody((refusalOf(outcome.error) ?? writing.unexpected(outcome.error)).errors)

/** With application/json a well-formed request gets 200, whatever its document is like. */
const statusOf = ({ status, isDocument }: Refusal, media: MediaType): number =>
  media === 'application/json' && isDocument ? 200 : status

export const writeRefusal = (refusal: Refusal, media: MediaType): WrittenOutcomes => ({
  status: statusOf(refusal, media),
  headers: refusal.headers,
  body: errorsBody(refusal.errors),
})

const TOO_MANY_REQUESTS = 429

/** Batches get 200, or clients would not look inside; but 429 must be visible to anything that retries. */
export const writeBatchRefusal = ({ status, headers, errors }: Refusal, operations: number): WrittenOutcomes => ({
  status: status === TOO_MANY_REQUESTS ? status : 200,
  headers,
  body: `[${Array(operations).fill(errorsBody(errors)).join()}]`,
})

export const writeOutcome = (outcome: Outcome, writing: Writing): WrittenOutcomes => {
  if ('error' in outcome)
    return writeRefusal(refusalOf(outcome.error) ?? writing.unexpected(outcome.error), writing.media)
  const { cached, replayed } = outcome.result
  const deprecation = cached.plan.deprecated.size === 0 ? {} : deprecationHeaders([cached.plan], writing.readOn)
  const headers = replayed === true ? { ...deprecation, 'idempotency-replayed': 'true' } : deprecation
  return { status: 200, headers, body: resultBody(outcome.result, writing) }
}

export const writeBatch = (outcomes: readonly Outcome[], writing: Writing): WrittenOutcomes => ({
  status: 200,
  headers: deprecationHeaders(
    outcomes.flatMap(outcome => ('result' in outcome ? [outcome.result.cached.plan] : [])),
    writing.readOn,
  ),
  body: `[${outcomes.map(outcome => bodyOf(outcome, writing)).join()}]`,
})
