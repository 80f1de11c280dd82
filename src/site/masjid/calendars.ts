// /m/{slug}/prayer-times.ics and events.ics: a masjid's calendars, open to everyone.
import type { Clock } from '../../base/clock.ts'
import { createFairTurns } from '../../base/fair-turns.ts'
import type { Database } from '../../db/database.ts'
import { eventsCalendar, eventsRelations } from '../../feeds/events-feed.ts'
import {
  type FeedMasjid,
  type FeedRequest,
  type FeedWriter,
  findFeedMasjid,
  type HeldDays,
  lastDay,
} from '../../feeds/feed.ts'
import { readDays } from '../../feeds/feed-days.ts'
import { prayerTimesCalendar, timesRelations } from '../../feeds/prayer-times-feed.ts'
import { readLogged } from '../../graphql/answers/trace-reads.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { notFound } from '../../http/not-found.ts'
import type { NoteAsked } from '../../prayer/on-demand/asked-masjids.ts'
import { type PublicAnswer, publicFile } from '../frame/public-reply.ts'
import type { PublicRoutes, PublicVisit } from '../frame/public-routes.ts'
import { calendarDays } from './about-section.ts'
import { midnightAfter } from './holds-for.ts'
import { isSlug } from './public-masjid.ts'

interface CalendarParts {
  readonly database: Database
  readonly graphql: Engine
  readonly clock: Clock
  readonly noteAsked: NoteAsked
}

type Name = keyof typeof calendarDays

const calendars: Readonly<Record<Name, FeedWriter & { readonly parameters: readonly string[] }>> = {
  'prayer-times.ics': { write: prayerTimesCalendar, relations: timesRelations, parameters: ['days'] },
  'events.ics': { write: eventsCalendar, relations: eventsRelations, parameters: [] },
}

/** Calendars ask every few hours, and whoever asks again is told within a millisecond that nothing changed. */
const MAX_AGE = 60
/** As much as one takes that is not in memory. */
const POINTS = 40
/** By network address. */
const TURNS = { atOnce: 2, atOnceEach: 1, mostWaiting: 1000, mostWaitingEach: 200, mostMs: 15_000 }

/** @throws {Fault} `not_found`, also for a masjid that was deleted. */
const findMasjid = async ({ database, clock }: CalendarParts, slug: string): Promise<FeedMasjid> => {
  const asked = { schema: 'public', masjid: slug, now: clock.now() } as const
  const masjid = isSlug(slug) ? await findFeedMasjid(database, asked) : undefined
  if (masjid === undefined) throw notFound()
  return masjid
}

const describe = ({ days, from, until }: HeldDays): string => {
  if (days === 0) return 'No days yet.'
  return `${days === 1 ? 'One day' : `${days} days`}, from ${from} to ${until}; each day adds one.`
}

const requestFor = ({ noteAsked }: CalendarParts, masjid: FeedMasjid, days: number): FeedRequest => {
  const [from, until] = [masjid.today, lastDay(masjid.today, days)]
  return { schema: 'public', masjid, named: true, from, until, describe, noteAsked }
}

/** It begins with today at the masjid. */
const secondsLeft = ({ today, timezone }: FeedMasjid, { clock }: CalendarParts): number => {
  const ends = midnightAfter(today, timezone)?.getTime() ?? 0
  return Math.floor((ends - clock.now().getTime()) / 1000)
}

export const addCalendars = (routes: PublicRoutes, parts: CalendarParts): void => {
  const turns = createFairTurns(TURNS)
  const send =
    (name: Name) =>
    async ({ parameters, query }: PublicVisit): Promise<PublicAnswer> => {
      const { relations, write } = calendars[name]
      const days = readDays(query.list('days').length > 1 ? '' : query.single('days'), calendarDays[name])
      const { masjid, text } = await readLogged(parts.graphql, {
        relations,
        read: async () => {
          const masjid = await findMasjid(parts, parameters.text('slug'))
          const text = await write(parts.database, requestFor(parts, masjid, days))
          return { value: { masjid, text }, masjid: masjid.id, server: masjid.server }
        },
      })
      return publicFile('text/calendar; charset=utf-8', text, {
        maxAge: MAX_AGE,
        holds: secondsLeft(masjid, parts),
        headers: { 'access-control-allow-origin': '*', 'x-robots-tag': 'noindex' },
      })
    }
  for (const name of Object.keys(calendars) as Name[])
    routes.get(`/m/:slug/${name}`, send(name), { points: POINTS, turns, parameters: calendars[name].parameters })
}
