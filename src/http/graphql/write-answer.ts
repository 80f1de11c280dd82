// Outcomes → status, headers and body of the HTTP answer.
import type { Answer, Outcome } from '../../graphql/answer.ts'
import { deprecationHeaders } from '../../graphql/deprecation-headers.ts'
import { type Refusal, refusalOf, type ShownError } from '../../graphql/errors.ts'
import { limits } from '../../graphql/limits/limits.ts'
import type { Plan } from '../../graphql/plan/plan.ts'
import type { MediaType } from './media-type.ts'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Writing {
  readonly media: MediaType
  /** The client asked what its operation costs. */
  readonly explain: boolean
  /** Statements are shown to developers, never in production. */
  readonly showSql: boolean
  /** When the structure was read: since when a deprecated column without a date counts as such. */
  readonly readOn: Date
  /** What is at nobody's fault but ours → an error with the id that the log has too. */
  readonly unexpected: (error: unknown) => Refusal
}

const fewPeople = `Totals over fewer than ${limits.people} people are null, and groups of fewer are left out.`

const extensionsOf = ({ cached: { plan, statement } }: Answer, { explain, showSql }: Writing): string => {
  if (!explain && !plan.totalsOverPeople) return ''
  const extensions = {
    ...(explain ? { cost: { rows: plan.cost, maximum: limits.cost } } : {}),
    ...(explain && showSql ? { sql: statement.text } : {}),
    ...(plan.totalsOverPeople ? { notes: [fewPeople] } : {}),
  }
  return `,"extensions":${JSON.stringify(extensions)}`
}

const errorsBody = (errors: readonly ShownError[]): string => JSON.stringify({ errors })

const bodyOf = (outcome: Outcome, writing: Writing): string => {
  if ('answer' in outcome) return `{"data":${outcome.answer.data}${extensionsOf(outcome.answer, writing)}}`
  return errorsBody((refusalOf(outcome.error) ?? writing.unexpected(outcome.error)).errors)
}

/** With application/json a request that could be read is answered with 200, whatever its document was like. */
const statusOf = ({ status, isDocument }: Refusal, media: MediaType): number =>
  media === 'application/json' && isDocument ? 200 : status

export const writeRefusal = (refusal: Refusal, media: MediaType): HttpAnswer => ({
  status: statusOf(refusal, media),
  headers: refusal.headers,
  body: errorsBody(refusal.errors),
})

export const writeAnswer = (outcome: Outcome, writing: Writing): HttpAnswer => {
  if ('error' in outcome)
    return writeRefusal(refusalOf(outcome.error) ?? writing.unexpected(outcome.error), writing.media)
  const { plan } = outcome.answer.cached
  const headers = plan.deprecated.size === 0 ? {} : deprecationHeaders([plan], writing.readOn)
  return { status: 200, headers, body: bodyOf(outcome, writing) }
}

export const writeBatch = (outcomes: readonly Outcome[], writing: Writing): HttpAnswer => ({
  status: 200,
  headers: deprecationHeaders(
    outcomes.flatMap(outcome => ('answer' in outcome ? [outcome.answer.cached.plan] : [])),
    writing.readOn,
  ),
  body: `[${outcomes.map(outcome => bodyOf(outcome, writing)).join()}]`,
})

/** Whether anybody with the same credential would get the same: no people in it, and no row that depends on who asks. */
export const isPublic = ({ tables }: Plan): boolean =>
  [...tables].every(table => table.personal === undefined && !table.rowSecurity)
