// `/v1/hijri`: hijri dates of days and days of hijri dates, by whose calendar is asked for, and when the days people ask for come next.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import { createFairTurns } from '../../base/fair-turns.ts'
import { networkOf } from '../../base/ip-address.ts'
import type { DataSchema } from '../../db/data-schema.ts'
import type { Database } from '../../db/database.ts'
import { answerDays, answerNext, type HijriAnswer, type HijriDesk } from '../../hijri/answer-hijri.ts'
import type { AskedAuthority } from '../../hijri/authority.ts'
import { listAuthorities } from '../../hijri/read-authority.ts'
import { readDaysQuestion, readNextQuestion } from '../../hijri/read-hijri-question.ts'
import { countedBy } from '../../http/charges/charge.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import type { RequestLimit } from '../../sandbox/request-limit.ts'
import { AUTHORITIES_PATH, DAYS_PATH, NEXT_PATH } from './paths.ts'

export interface HijriParts {
  readonly database: Database
  readonly limit: RequestLimit
  readonly clock: Clock
}

type Asked = FastifyRequest<{ Querystring: Record<string, unknown> }>

const DAY_SECONDS = 86_400
/** Somebody may have announced something since. */
const ANNOUNCED_SECONDS = 900
/** As much of the database as a few small requests. */
const DATABASE_POINTS = 4
/** Announcements are read on connections that sign-ins need too. */
const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 1000, mostWaitingEach: 100, mostMs: 15_000 }

const ageOf = ({ announced, until }: Omit<HijriAnswer, 'json'>, now: number): number => {
  const left = until === undefined ? DAY_SECONDS : Math.max(0, Math.floor((until - now) / 1000))
  return Math.min(left, announced ? ANNOUNCED_SECONDS : DAY_SECONDS)
}

const send = (request: Asked, reply: FastifyReply, json: string, seconds: number): FastifyReply => {
  const tag = entityTag(json)
  void reply.headers({ etag: tag, 'cache-control': `public, max-age=${seconds}`, 'x-content-type-options': 'nosniff' })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(json)
}

interface Route<Question> {
  readonly path: string
  readonly read: (raw: Asked['query']) => Question
  readonly answer: (desk: HijriDesk, question: Question) => Promise<HijriAnswer>
}

const charge = countedBy('the limit of the sandbox, by address: one request, four more where announcements are read')

/** Any origin may call these: nothing here reads cookies, and everybody is told the same. */
export const addHijriRoutes = async (
  server: FastifyInstance,
  { database, limit, clock }: HijriParts,
  schema: DataSchema,
): Promise<void> => {
  const turns = createFairTurns(TURNS)
  const source = { database, schema }
  const deskFor = (network: string): HijriDesk => ({ source, clock, inTurns: read => turns.run(network, read) })

  const add = <Question extends { readonly authority: AskedAuthority }>(
    scope: FastifyInstance,
    { path, read, answer }: Route<Question>,
  ): void =>
    void scope.get(path, { config: { charge } }, async (request: Asked, reply) => {
      const network = networkOf(request.clientAddress)
      limit.take(network)
      const question = read(request.query)
      if (question.authority.kind !== 'calculated') limit.take(network, DATABASE_POINTS)
      const { json, ...lasting } = await answer(deskFor(network), question)
      return send(request, reply, json, ageOf(lasting, clock.now().getTime()))
    })

  await server.register(async scope => {
    allowAnyOrigin(scope, ['GET', 'HEAD'], [DAYS_PATH, NEXT_PATH, AUTHORITIES_PATH])
    add(scope, { path: DAYS_PATH, read: readDaysQuestion, answer: answerDays })
    add(scope, { path: NEXT_PATH, read: readNextQuestion, answer: answerNext })
    scope.get(AUTHORITIES_PATH, { config: { charge } }, async (request: Asked, reply) => {
      const network = networkOf(request.clientAddress)
      limit.take(network, 1 + DATABASE_POINTS)
      const authorities = await turns.run(network, () => listAuthorities(source))
      return send(request, reply, JSON.stringify({ authorities }), ANNOUNCED_SECONDS)
    })
  })
}
