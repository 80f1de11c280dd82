// `/v1/times`: prayer times of any place and day, without a masjid and without a credential, as JSON, a calendar or a table.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import { networkOf } from '../../base/ip-address.ts'
import { endOfDay } from '../../base/local-time.ts'
import { countedBy } from '../../http/charges/charge.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import type { PlaceTimes, SettledQuestion } from '../../place-times/place-times.ts'
import type { RawQuestion } from '../../place-times/read-days.ts'
import { readQuestion } from '../../place-times/read-question.ts'
import type { RequestLimit } from '../../sandbox/request-limit.ts'
import { type Format, formatFor } from './media.ts'
import { openApiDocument } from './openapi.ts'
import { readRulesVersion } from './rules-version.ts'

export interface TimesParts {
  readonly places: PlaceTimes
  readonly limit: RequestLimit
  readonly clock: Clock
}

const TIMES_PATH = '/v1/times'
const OPENAPI_PATH = '/v1/openapi.json'

const DAY_SECONDS = 86_400
/** A day of times is half a kilobyte and takes some 40 microseconds, written as a calendar. */
const DAYS_PER_POINT = 20
/** Borders may have to be read from disk. */
const ZONE_POINTS = 2

const MOST_KEPT_BYTES = 16 * 1024 * 1024
const ENTRY_OVERHEAD = 500

interface Answer {
  readonly bytes: Buffer
  readonly tag: string
  readonly contentType: string
  /** When the day it was asked for by no date ends there, in milliseconds; undefined if dates were given. */
  readonly until: number | undefined
}

type Asked = FastifyRequest<{ Querystring: Record<string, unknown> }>

interface Desk extends TimesParts {
  readonly rules: string
  readonly kept: LRUCache<string, Answer>
}

const sendHeaders = (reply: FastifyReply, { tag, until }: Pick<Answer, 'tag' | 'until'>, now: number): void => {
  const left = until === undefined ? DAY_SECONDS : Math.max(0, Math.floor((until - now) / 1000))
  void reply.headers({
    etag: tag,
    'cache-control': `public, max-age=${Math.min(DAY_SECONDS, left)}`,
    vary: 'accept',
    'x-content-type-options': 'nosniff',
  })
}

const send = (request: Asked, reply: FastifyReply, answer: Answer, now: number): FastifyReply => {
  sendHeaders(reply, answer, now)
  if (isKnown(request.headers['if-none-match'], answer.tag)) return reply.status(304).send()
  return reply.header('content-type', answer.contentType).send(answer.bytes)
}

const tagOf = ({ rules }: Desk, { name }: Format, settled: SettledQuestion): string =>
  entityTag(JSON.stringify([rules, name, settled]))

const answer = async (desk: Desk, request: Asked, reply: FastifyReply): Promise<FastifyReply> => {
  const network = networkOf(request.clientAddress)
  desk.limit.take(network)
  const { format: asked, ...raw } = request.query
  const format = formatFor(asked, request.headers.accept)
  const now = desk.clock.now().getTime()
  const name = `${format.name} ${request.raw.url}`
  const kept = desk.kept.get(name)
  if (kept !== undefined && (kept.until ?? Number.POSITIVE_INFINITY) > now) return send(request, reply, kept, now)
  const question = readQuestion(raw as RawQuestion)
  if (question.timeZone === undefined) desk.limit.take(network, ZONE_POINTS)
  const settled = await desk.places.settle(network, question)
  const until = question.range === undefined ? endOfDay(settled.range.to, settled.place.timeZone) : undefined
  const tag = tagOf(desk, format, settled)
  // Nothing is calculated for whoever has it already.
  if (isKnown(request.headers['if-none-match'], tag)) {
    sendHeaders(reply, { tag, until }, now)
    return reply.status(304).send()
  }
  desk.limit.take(network, Math.floor((settled.range.to - settled.range.from + 1) / DAYS_PER_POINT))
  const bytes = Buffer.from(format.write({ settled, days: desk.places.calculate(settled) }))
  const made = { bytes, tag, contentType: format.contentType, until }
  desk.kept.set(name, made)
  return send(request, reply, made, now)
}

const charge = countedBy('the limit of the sandbox, by address: one request, one more for every 20 days')

/** Any origin may call these: nothing here reads cookies, and everybody is told the same. */
export const addTimesRoutes = async (server: FastifyInstance, parts: TimesParts, url: string): Promise<void> => {
  const kept = new LRUCache<string, Answer>({
    maxSize: MOST_KEPT_BYTES,
    sizeCalculation: ({ bytes }, name) => bytes.byteLength + name.length + ENTRY_OVERHEAD,
  })
  const desk: Desk = { ...parts, kept, rules: readRulesVersion() }
  const document = Buffer.from(JSON.stringify(openApiDocument(url)))
  const documentTag = entityTag(document)
  await server.register(async scope => {
    allowAnyOrigin(scope, ['GET', 'HEAD'], [TIMES_PATH, OPENAPI_PATH])
    scope.get(TIMES_PATH, { config: { charge } }, (request: Asked, reply) => answer(desk, request, reply))
    scope.get(OPENAPI_PATH, { config: { charge } }, (request, reply) => {
      parts.limit.take(networkOf(request.clientAddress))
      void reply.headers({ etag: documentTag, 'cache-control': 'public, max-age=3600' })
      if (isKnown(request.headers['if-none-match'], documentTag)) return reply.status(304).send()
      return reply.header('content-type', 'application/json; charset=utf-8').send(document)
    })
  })
}
