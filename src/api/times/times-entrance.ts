// GET /v1/times, from Node's server or a route: query string → question → times → response, as JSON, a calendar or a table.
import { parse } from 'fast-querystring'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import { networkOf } from '../../base/ip-address.ts'
import { endOfDay } from '../../base/local-time.ts'
import type { Logger } from '../../base/log.ts'
import { withinDeadline } from '../../db/within-deadline.ts'
import type { Entrance, IncomingRequest, OutgoingResponse } from '../../graphql/entrance/transport.ts'
import { openOrigin } from '../../http/cross-origin.ts'
import { openResponse, refusalAnswer } from '../../http/open-response.ts'
import type { PlaceTimes, SettledQuestion } from '../../place-times/place-times.ts'
import { readQuestion } from '../../place-times/read-question.ts'
import type { RequestLimit } from '../../sandbox/request-limit.ts'
import { type Format, formatFor } from './media.ts'
import { readRulesVersion } from './rules-version.ts'

export interface TimesParts {
  readonly places: PlaceTimes
  readonly limit: RequestLimit
  readonly clock: Clock
  readonly deadlineMs: number
  readonly log: Logger
}

const DAY_SECONDS = 86_400
/** A day of times is half a kilobyte and takes some 40 microseconds, written as a calendar. */
const DAYS_PER_POINT = 20
/** Borders may have to be read from disk. */
const ZONE_POINTS = 2

const MOST_KEPT_BYTES = 16 * 1024 * 1024
const ENTRY_OVERHEAD = 500

interface Answer {
  readonly body: string
  readonly bytes: number
  readonly tag: string
  readonly contentType: string
  /** When the day it was asked for by no date ends there, in milliseconds; undefined if dates were given. */
  readonly until: number | undefined
}

interface Desk extends TimesParts {
  readonly rules: string
  readonly kept: LRUCache<string, Answer>
}

/** Any origin may call this: nothing here reads cookies, and everybody is told the same. */
const always = [...Object.entries(openOrigin).flat(), 'vary', 'accept', 'x-content-type-options', 'nosniff']

type Tagged = Pick<Answer, 'tag' | 'until'>

const headersOf = ({ id }: IncomingRequest, { tag, until }: Tagged, now: number): string[] => {
  const left = until === undefined ? DAY_SECONDS : Math.max(0, Math.floor((until - now) / 1000))
  const age = `public, max-age=${Math.min(DAY_SECONDS, left)}`
  return [...always, 'x-request-id', id, 'etag', tag, 'cache-control', age]
}

const unchanged = (request: IncomingRequest, tagged: Tagged, now: number): OutgoingResponse | undefined =>
  isKnown(request.headers['if-none-match'], tagged.tag)
    ? { status: 304, headers: headersOf(request, tagged, now), body: '', encoding: 'latin1' }
    : undefined

const whole = (request: IncomingRequest, answer: Answer, now: number): OutgoingResponse => {
  const { body, bytes, contentType } = answer
  const headers = headersOf(request, answer, now)
  headers.push('content-type', contentType, 'content-length', String(bytes))
  return { status: 200, headers, body, encoding: bytes === body.length ? 'latin1' : 'utf8' }
}

const tagOf = ({ rules }: Desk, { name }: Format, settled: SettledQuestion): string =>
  entityTag(JSON.stringify([rules, name, settled]))

const queryOf = (url: string): Record<string, unknown> => {
  const from = url.indexOf('?')
  return from === -1 ? {} : parse(url.slice(from + 1))
}

const respond = async (desk: Desk, request: IncomingRequest): Promise<OutgoingResponse> => {
  const network = networkOf(request.clientAddress())
  desk.limit.take(network)
  const { format: asked, ...raw } = queryOf(request.url)
  const format = formatFor(asked, request.headers.accept)
  const now = desk.clock.now().getTime()
  const name = `${format.name} ${request.url}`
  const kept = desk.kept.get(name)
  if (kept !== undefined && (kept.until ?? Number.POSITIVE_INFINITY) > now)
    return unchanged(request, kept, now) ?? whole(request, kept, now)
  const question = readQuestion(raw)
  if (question.timeZone === undefined) desk.limit.take(network, ZONE_POINTS)
  const settled = await desk.places.settle(network, question)
  const until = question.range === undefined ? endOfDay(settled.range.to, settled.place.timeZone) : undefined
  const tagged = { tag: tagOf(desk, format, settled), until }
  // Nothing is calculated for whoever has it already.
  const same = unchanged(request, tagged, now)
  if (same !== undefined) return same
  desk.limit.take(network, Math.floor((settled.range.to - settled.range.from + 1) / DAYS_PER_POINT))
  const body = format.write({ settled, days: desk.places.calculate(settled) })
  const made = { ...tagged, body, bytes: Buffer.byteLength(body), contentType: format.contentType }
  desk.kept.set(name, made)
  return whole(request, made, now)
}

export const createTimesEntrance = (parts: TimesParts): Entrance => {
  const kept = new LRUCache<string, Answer>({
    maxSize: MOST_KEPT_BYTES,
    sizeCalculation: ({ bytes }, name) => bytes + name.length + ENTRY_OVERHEAD,
  })
  const desk: Desk = { ...parts, kept, rules: readRulesVersion() }
  return async request => {
    try {
      return await withinDeadline(desk.deadlineMs, respond(desk, request))
    } catch (error) {
      return openResponse(request.id, refusalAnswer(error, { id: request.id, log: desk.log }))
    }
  }
}
