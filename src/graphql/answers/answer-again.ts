// A kept answer that is still true → the response: charged, counted and explained like a fresh one.
import type { Grant } from '../../access/grant.ts'
import type { UsageEvent } from '../../apps/usage.ts'
import type { OperationMeter } from '../../metrics/operation-meter.ts'
import { chargeOf } from '../entrance/charge-operations.ts'
import { composeResponse, type HttpResponse } from '../entrance/http-response.ts'
import type { IncomingRequest } from '../entrance/transport.ts'
import { type Writing, writeOutcome } from '../entrance/write-outcomes.ts'
import type { Allowance } from '../limits/allowance.ts'
import type { Answers, FoundAnswer, KeptAnswer } from './answers.ts'
import type { CacheFacts } from './cache-facts.ts'

export interface Again {
  readonly answers: Answers | undefined
  readonly request: IncomingRequest
  readonly grant: Grant
  readonly allowance: Allowance | undefined
  /** Where the client's last write is in the write-ahead log, as it was told. */
  readonly position: bigint | undefined
  readonly started: number
  readonly record: (event: UsageEvent) => void
  readonly meter: OperationMeter | undefined
  readonly writing: Writing
}

const START = '{"data":'.length

/** Nothing but data: an answer with notes of its own is about people, and not kept. */
const dataOf = ({ response: { body } }: KeptAnswer): string => body.toString().slice(START, -1)

const factsOf = ({ readAt, check }: KeptAnswer): CacheFacts => ({
  hit: true,
  age_ms: Math.round(performance.now() - readAt),
  check,
})

const explained = ({ answer, request: { cached } }: FoundAnswer, { request, writing }: Again): HttpResponse => {
  const outcome = { result: { data: dataOf(answer), cached } }
  const written = writeOutcome(outcome, { ...writing, cache: factsOf(answer) })
  return composeResponse(request, written, { media: writing.media, freshness: 'no-store' })
}

const isAffordable = (cost: number, allowance: Allowance | undefined): boolean => {
  try {
    allowance?.take(cost)
    return true
  } catch {
    return false
  }
}

export const withHeaders = (response: HttpResponse, more: Readonly<Record<string, string>>): HttpResponse => ({
  ...response,
  headers: [...response.headers, ...Object.entries(more).flat()],
})

/** Undefined if it is no longer true, or exceeds the caller's allowance: the refusal is worded where fresh answers are refused. */
export const answerAgain = async (found: FoundAnswer, again: Again): Promise<HttpResponse | undefined> => {
  const { answers, grant, allowance, position, started, record, meter, writing } = again
  const { answer, request } = found
  if (!(await answers?.isTrue(answer, position))) return undefined
  const { cached, query } = request
  if (!isAffordable(chargeOf(cached.plan), allowance)) return undefined
  const milliseconds = performance.now() - started
  meter?.answered(cached.counted, 'memory', milliseconds)
  if (grant.appId !== undefined)
    record({ appId: grant.appId, keyId: grant.keyId, milliseconds, query, outcome: 'answered', rows: answer.rows })
  const response = writing.explain ? explained(found, again) : answer.response
  return allowance === undefined ? response : withHeaders(response, allowance.headers())
}
