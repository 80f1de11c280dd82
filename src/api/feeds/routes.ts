// `/v1/masjids/{id}/prayer-times.ics` and the other feeds: a masjid's times and events for calendars and spreadsheets.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../access/scopes.ts'
import { isDate } from '../../base/civil-date.ts'
import type { Clock } from '../../base/clock.ts'
import { isKnown } from '../../base/entity-tag.ts'
import { createFairTurns, type FairTurns } from '../../base/fair-turns.ts'
import { Fault } from '../../base/fault.ts'
import { networkOf } from '../../base/ip-address.ts'
import { type KeepInTurns, keepInTurns, keepNothing } from '../../base/keep-in-turns.ts'
import type { Database } from '../../db/database.ts'
import { eventsCalendar, eventsRelations, eventsTable } from '../../feeds/events-feed.ts'
import { type FeedRequest, type FeedWriter, findFeedMasjid, lastDay } from '../../feeds/feed.ts'
import { readDays } from '../../feeds/feed-days.ts'
import { type FeedText, feedTextOf } from '../../feeds/feed-text.ts'
import { prayerTimesCalendar, prayerTimesTable, timesRelations } from '../../feeds/prayer-times-feed.ts'
import type { Shelf } from '../../graphql/answers/kept-responses.ts'
import { readLogged } from '../../graphql/answers/trace-reads.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { points, pointsOfStrangers } from '../../http/charges/charge.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import type { NoteAsked } from '../../prayer/on-demand/asked-masjids.ts'
import type { KeptFeeds } from '../../sandbox/kept-feeds.ts'
import { type Environment, type FeedAccess, requireScope, visitorOf } from './feed-credential.ts'

export interface FeedParts extends FeedAccess {
  readonly database: Database
  readonly clock: Clock
  /** Told that somebody asks for times of a masjid that are not stored. */
  readonly noteAsked: NoteAsked
  /** Texts that are made once; undefined where data change at any time. */
  readonly kept?: KeptFeeds | undefined
  /** Where texts are kept until what they were made from changes; undefined for texts that are made once. */
  readonly follow?: { readonly graphql: Engine; readonly shelf: Shelf<FeedText> } | undefined
}

interface Feed extends FeedWriter {
  readonly path: string
  readonly scope: Scope
  readonly contentType: string
  readonly days: number
}

const CALENDAR = 'text/calendar; charset=utf-8'
const TABLE = 'text/csv; charset=utf-8; header=present'
/** A year of times takes the database a tenth of a second, and sign-ins share its connections. */
const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 1000, mostWaitingEach: 100, mostMs: 15_000 }

/** As much as a calendar of the most days takes that nobody has asked for before. */
const feedPoints = 40
const refusalPoints = 2

const feeds: readonly Feed[] = [
  {
    path: 'prayer-times.ics',
    scope: 'prayer-times:read',
    contentType: CALENDAR,
    days: 60,
    write: prayerTimesCalendar,
    relations: timesRelations,
  },
  {
    path: 'prayer-times.csv',
    scope: 'prayer-times:read',
    contentType: TABLE,
    days: 60,
    write: prayerTimesTable,
    relations: timesRelations,
  },
  {
    path: 'events.ics',
    scope: 'events:read',
    contentType: CALENDAR,
    days: 366,
    write: eventsCalendar,
    relations: eventsRelations,
  },
  {
    path: 'events.csv',
    scope: 'events:read',
    contentType: TABLE,
    days: 366,
    write: eventsTable,
    relations: eventsRelations,
  },
]

type Asked = FastifyRequest<{
  Params: { masjid: string }
  Querystring: { from?: string; days?: string; key?: string }
}>

const badRequest = (message: string): Fault => new Fault({ code: 'bad_request', status: 400, message })

const readFrom = (text: string | undefined, today: string): string => {
  if (text === undefined) return today
  if (typeof text !== 'string' || !isDate(text)) throw badRequest('"from" is not a date such as 2026-02-18.')
  return text
}

interface Sent {
  readonly feed: Feed
  readonly text: FeedText
  readonly environment: Environment
}

const send = (request: Asked, reply: FastifyReply, { feed, text: { bytes, tag }, environment }: Sent) => {
  const shared = environment === 'test' ? 'public' : 'private'
  reply.headers({
    etag: tag,
    'cache-control': `${shared}, max-age=900`,
    vary: 'authorization',
    'x-robots-tag': 'noindex',
  })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.headers({ 'content-type': feed.contentType, 'x-content-type-options': 'nosniff' }).send(bytes)
}

interface Desk {
  readonly parts: FeedParts
  readonly environment: Environment
  readonly turns: FairTurns
  readonly keep: KeepInTurns<FeedText>
}

const readRequest = async (
  { parts, environment }: Desk,
  { feed, request, scopes }: { feed: Feed; request: Asked; scopes: ReadonlySet<Scope> },
): Promise<FeedRequest> => {
  requireScope(scopes, feed.scope)
  const schema = environment === 'live' ? 'public' : 'sandbox'
  const asked = { schema, masjid: request.params.masjid, now: parts.clock.now() } as const
  const masjid = await findFeedMasjid(parts.database, asked)
  if (masjid === undefined) throw new Fault({ code: 'not_found', status: 404, message: 'There is no such masjid.' })
  const from = readFrom(request.query.from, masjid.today)
  const until = lastDay(from, readDays(request.query.days, feed.days))
  return { schema, masjid, named: scopes.has('masjid:read'), from, until, noteAsked: parts.noteAsked }
}

const nameOf = ({ parts: { kept } }: Desk, { path }: Feed, { masjid, named, from, until }: FeedRequest): string =>
  [path, masjid.id, from, until, named, kept?.era() ?? ''].join(' ')

interface Wanted {
  readonly wanted: FeedRequest
  /** Whose turn it takes. */
  readonly who: string
}

/** Dates are named, so that nothing changes as time passes; but whoever keeps something looks at it again some day. */
const HOLDS_MS = 3_600_000

const textFor = async (desk: Desk, feed: Feed, { wanted, who }: Wanted): Promise<FeedText> => {
  const { database, follow } = desk.parts
  const name = nameOf(desk, feed, wanted)
  const write = async () => feedTextOf(await feed.write(database, wanted))
  if (follow === undefined) return desk.keep(who, name, write)
  const { masjid } = wanted
  const make = async () => {
    const read = async () => ({ value: await write(), masjid: masjid.id, server: masjid.server })
    const value = await readLogged(follow.graphql, { relations: feed.relations, read })
    return { value, holdsMs: HOLDS_MS }
  }
  // The masjid was read before, so that what is known of it is part of the key.
  const key = `${name} ${JSON.stringify(masjid)}`
  const { value } = await follow.shelf.get(key, make, { who, inTurn: work => desk.turns.run(who, work) })
  return value
}

const answer = (desk: Desk, feed: Feed) => async (request: Asked, reply: FastifyReply) => {
  const { scopes, appId } = await visitorOf(request, desk.parts, desk.environment)
  const wanted = await readRequest(desk, { feed, request, scopes })
  const who = appId ?? networkOf(request.clientAddress)
  const text = await textFor(desk, feed, { wanted, who })
  return send(request, reply, { feed, text, environment: desk.environment })
}

/** Any origin may call these, since nothing here reads cookies. */
export const addFeedRoutes = async (
  server: FastifyInstance,
  parts: FeedParts,
  environment: Environment,
): Promise<void> => {
  const turns = createFairTurns(TURNS)
  const keep = keepInTurns<FeedText>(turns, parts.kept ?? keepNothing)
  const desk: Desk = { parts, environment, turns, keep }
  const addressOf = ({ path }: Feed): string => `/v1/masjids/:masjid/${path}`
  await server.register(async scope => {
    allowAnyOrigin(scope, ['GET'], feeds.map(addressOf))
    // Everybody has the sandbox's public key: there, no credential is a reason not to be charged.
    const charge = environment === 'test' ? points(feedPoints) : pointsOfStrangers(refusalPoints)
    for (const feed of feeds) scope.get(addressOf(feed), { config: { charge } }, answer(desk, feed))
  })
}
