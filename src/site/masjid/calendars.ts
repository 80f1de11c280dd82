// /m/{slug}/prayer-times.ics and events.ics: a masjid's calendars, open to everyone, a year ahead.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { createFairTurns } from '../../base/fair-turns.ts'
import { networkOf } from '../../base/ip-address.ts'
import { keepInTurns } from '../../base/keep-in-turns.ts'
import type { Database, Queryable } from '../../db/database.ts'
import { eventsCalendar } from '../../feeds/events-feed.ts'
import { type FeedRequest, findFeedMasjid, lastDay } from '../../feeds/feed.ts'
import { prayerTimesCalendar } from '../../feeds/prayer-times-feed.ts'
import { notFound } from '../../http/not-found.ts'
import { type PublicAnswer, publicFile } from '../frame/public-reply.ts'
import type { PublicRoutes, PublicVisit } from '../frame/public-routes.ts'
import { isSlug } from './public-masjid.ts'

interface CalendarParts {
  readonly database: Database
  readonly clock: Clock
}

type WriteCalendar = (database: Queryable, request: FeedRequest) => Promise<string>

const calendars: Readonly<Record<string, WriteCalendar>> = {
  'prayer-times.ics': prayerTimesCalendar,
  'events.ics': eventsCalendar,
}

const DAYS = 366
/** Calendars ask every few hours; what changed in between is in the next answer. */
const MAX_AGE = 900
/** A year of times takes the database a tenth of a second: those who ask within a minute share it. */
const KEPT_MS = 60_000
const MOST_BYTES = 16 * 1024 * 1024
/** As much as one takes that nobody has asked for in the last minute. */
const POINTS = 40
/** By network address. */
const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 1000, mostWaitingEach: 200, mostMs: 15_000 }

/** @throws {Fault} `not_found`, also for a masjid that was deleted. */
const requestFor = async ({ database, clock }: CalendarParts, slug: string): Promise<FeedRequest> => {
  const asked = { schema: 'public', masjid: slug, now: clock.now() } as const
  const masjid = isSlug(slug) ? await findFeedMasjid(database, asked) : undefined
  if (masjid === undefined) throw notFound()
  return { schema: 'public', masjid, named: true, from: masjid.today, until: lastDay(masjid.today, DAYS) }
}

export const addCalendars = (routes: PublicRoutes, parts: CalendarParts): void => {
  const kept = new LRUCache<string, string>({
    ttl: KEPT_MS,
    maxSize: MOST_BYTES,
    sizeCalculation: text => text.length * 2 + 1,
  })
  const keep = keepInTurns<string>(createFairTurns(TURNS), kept)
  const send =
    (name: string, write: WriteCalendar) =>
    async ({ parameters, address }: PublicVisit): Promise<PublicAnswer> => {
      const request = await requestFor(parts, parameters.text('slug'))
      const key = `${request.masjid.id} ${request.from} ${name}`
      const text = await keep(networkOf(address), key, () => write(parts.database, request))
      return publicFile('text/calendar; charset=utf-8', text, {
        maxAge: MAX_AGE,
        headers: { 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' },
      })
    }
  for (const [name, write] of Object.entries(calendars))
    routes.get(`/m/:slug/${name}`, send(name, write), { points: POINTS })
}
