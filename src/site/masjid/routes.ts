// /m/{slug}: the public page of a masjid, its preview picture and its widget.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { networkOf } from '../../base/ip-address.ts'
import { localDateAt } from '../../base/local-time.ts'
import type { Database } from '../../db/database.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import type { NoteAsked } from '../../prayer/on-demand/asked-masjids.ts'
import { createDrawing, type Drawing, type DrawPicture } from '../drawing/draw-picture.ts'
import { findSimilar } from '../find/find-masjids.ts'
import { askPublic } from '../frame/ask-public.ts'
import { type PublicAnswer, publicFile, publicPage, publicRedirect } from '../frame/public-reply.ts'
import { addPublicPages, type PublicFrame, type PublicVisit } from '../frame/public-routes.ts'
import { addCalendars } from './calendars.ts'
import { holdsFor } from './holds-for.ts'
import { createKeptPictures } from './kept-pictures.ts'
import { widgetScript } from './masjid-assets.ts'
import { masjidPage } from './masjid-page.ts'
import { missingPage } from './missing-page.ts'
import { readMonth } from './month-section.ts'
import { ogPicture } from './og-picture.ts'
import { isSlug, MASJID, MASJID_ALONE, masjidPath, type PublicMasjid } from './public-masjid.ts'
import { readPublicTimes } from './public-times.ts'
import { lookParameters, readLook, widgetPage } from './widget-page.ts'

export interface MasjidParts {
  readonly drawing: Drawing
  readonly graphql: Engine
  readonly clock: Clock
  readonly pages: PublicFrame
  readonly baseUrl: string
  readonly database: Database
  readonly noteAsked: NoteAsked
}

/** Events further ahead are in the calendar. */
const EVENTS_AHEAD_MS = 60 * 86_400_000
const MISSING_MAX_AGE = 30
const SCRIPT_MAX_AGE = 3600
/** Previews keep pictures for days; the picture of each day has an address of its own. */
const PICTURE_MAX_AGE = 300

const slugOf = ({ parameters }: PublicVisit): string => parameters.text('slug')

/** What was typed by hand may have capitals, or a slash at its end. */
const otherSpelling = (asked: string): string | undefined => {
  const usual = asked.toLowerCase().replace(/\/$/, '')
  return usual !== asked && isSlug(usual) ? usual : undefined
}

const showMissing = async (
  { graphql, clock }: MasjidParts,
  visit: PublicVisit,
  { asked = '', framed = false }: { readonly asked?: string; readonly framed?: boolean } = {},
): Promise<PublicAnswer> => {
  const slug = otherSpelling(asked)
  if (slug !== undefined) return publicRedirect(masjidPath({ slug }))
  const similar = await findSimilar(graphql, asked, { now: clock.now(), address: visit.address })
  const page = missingPage(visit.view, similar)
  return publicPage(page, { status: 404, maxAge: MISSING_MAX_AGE, script: true, asks: true, framed })
}

/** Undefined for an address that no masjid has, and for one that was deleted. */
const readMasjid = async (
  { graphql }: MasjidParts,
  visit: PublicVisit,
  { query, ...variables }: { readonly query: string; readonly now?: string; readonly until?: string },
): Promise<PublicMasjid | undefined> => {
  const slug = slugOf(visit)
  if (!isSlug(slug)) return undefined
  const { address } = visit
  const { masjid } = await askPublic<{ readonly masjid: PublicMasjid | null }>(graphql, {
    query,
    variables: { slug, ...variables },
    address,
  })
  return masjid ?? undefined
}

const showMasjid = async (parts: MasjidParts, visit: PublicVisit): Promise<PublicAnswer> => {
  const now = parts.clock.now()
  const until = new Date(now.getTime() + EVENTS_AHEAD_MS).toISOString()
  const masjid = await readMasjid(parts, visit, { query: MASJID, now: now.toISOString(), until })
  if (masjid === undefined) return showMissing(parts, visit, { asked: slugOf(visit) })
  const today = localDateAt(now, masjid.timezone)
  const month = readMonth(visit.query.text('month'), today)
  const { view, address, languageAsked } = visit
  const times = await readPublicTimes(parts.graphql, { masjid, now, month, address })
  const page = masjidPage(view, { masjid, times, month, today, languageAsked, baseUrl: parts.baseUrl })
  return publicPage(page, { ...holdsFor(masjid, times), script: true })
}

const showWidget = async (parts: MasjidParts, visit: PublicVisit): Promise<PublicAnswer> => {
  const now = parts.clock.now()
  const masjid = await readMasjid(parts, visit, { query: MASJID_ALONE })
  if (masjid === undefined) return showMissing(parts, visit, { framed: true })
  const times = await readPublicTimes(parts.graphql, { masjid, now, address: visit.address })
  const page = widgetPage(visit.view, { masjid, times, look: readLook(visit.query) })
  return publicPage(page, { ...holdsFor(masjid, times), script: true, framed: true })
}

const sendPicture = async (parts: MasjidParts, visit: PublicVisit, draw: DrawPicture): Promise<PublicAnswer> => {
  const masjid = await readMasjid(parts, visit, { query: MASJID_ALONE })
  if (masjid === undefined) return showMissing(parts, visit)
  const times = await readPublicTimes(parts.graphql, { masjid, now: parts.clock.now(), address: visit.address })
  const png = await draw(networkOf(visit.address), ogPicture({ masjid, times, language: visit.view.language }))
  return publicFile('image/png', png, {
    maxAge: PICTURE_MAX_AGE,
    byLanguage: true,
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  })
}

const sendWidgetScript = (): PublicAnswer =>
  publicFile('text/javascript; charset=utf-8', widgetScript, {
    maxAge: SCRIPT_MAX_AGE,
    headers: { 'cross-origin-resource-policy': 'cross-origin' },
  })

export const addMasjidPages = (server: FastifyInstance, parts: MasjidParts): Promise<void> => {
  const draw = createDrawing(parts.drawing, createKeptPictures())
  return addPublicPages(server, parts.pages, routes => {
    routes.get('/m/:slug', visit => showMasjid(parts, visit), { parameters: ['month'], points: 12 })
    routes.get('/m/:slug/widget', visit => showWidget(parts, visit), { parameters: lookParameters })
    routes.get('/m/:slug/og.png', visit => sendPicture(parts, visit, draw), { points: 20 })
    addCalendars(routes, parts)
    routes.get('/m/*', visit => showMissing(parts, visit, { asked: visit.parameters.text('*') }))
    routes.get('/widget.js', sendWidgetScript, { points: 1 })
  })
}
