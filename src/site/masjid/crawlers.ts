// robots.txt and sitemaps: which pages search engines should visit.
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createFairTurns } from '../../base/fair-turns.ts'
import { networkOf } from '../../base/ip-address.ts'
import { keepInTurns } from '../../base/keep-in-turns.ts'
import type { Database } from '../../db/database.ts'
import { type ListedMasjid, readEdges, readFile } from '../../feeds/sitemap.ts'
import { notFound } from '../../http/not-found.ts'
import { type PublicAnswer, publicFile } from '../frame/public-reply.ts'
import { addPublicPages, type PublicFrame, type PublicVisit } from '../frame/public-routes.ts'
import { type Html, html } from '../pieces/html.ts'
import { masjidPath } from './public-masjid.ts'

export interface CrawlerParts {
  readonly database: Database
  readonly baseUrl: string
  readonly pages: PublicFrame
}

const MAX_AGE = 3600
const KEPT_MS = 600_000
const MOST_FILES_KEPT = 3
/** By network address. */
const TURNS = { atOnce: 1, atOnceEach: 1, mostWaiting: 200, mostWaitingEach: 20, mostMs: 15_000 }

/** Pages that need an account, and endpoints for programs. */
const closed = [
  '/account',
  '/admin',
  '/api/',
  '/console',
  '/device',
  '/find?',
  '/oauth/',
  '/outbox',
  '/review',
  '/screen',
  '/sign-',
  '/staff',
  '/v1/',
]

const robotsText = (baseUrl: string): string =>
  `User-agent: *\n${closed.map(path => `Disallow: ${path}\n`).join('')}Allow: /\n\nSitemap: ${baseUrl}/sitemap.xml\n`

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const xml = (body: Html): string => `<?xml version="1.0" encoding="UTF-8"?>\n${body.text}\n`

const sitemapIndex = (baseUrl: string, files: number): string =>
  xml(
    html`<sitemapindex xmlns="${NAMESPACE}">${Array.from({ length: files }, (_, index) => html`<sitemap><loc>${baseUrl}/sitemap-${index + 1}.xml</loc></sitemap>`)}</sitemapindex>`,
  )

const entry = (baseUrl: string, { slug, updated_at }: ListedMasjid): string =>
  `<url><loc>${baseUrl}${masjidPath({ slug })}</loc><lastmod>${updated_at.toISOString().slice(0, 10)}</lastmod></url>\n`

/** Slugs and the configured address have no letter that XML would need escaped. */
const sitemapFile = (baseUrl: string, masjids: readonly ListedMasjid[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="${NAMESPACE}">\n${masjids.map(masjid => entry(baseUrl, masjid)).join('')}</urlset>\n`

/** A file of 50,000 is a few megabytes: read by one request at a time, and kept for those that follow. */
const createReading = ({ database, baseUrl }: CrawlerParts) => {
  const kept = new LRUCache<string, string>({ max: MOST_FILES_KEPT, ttl: KEPT_MS })
  const keep = keepInTurns<string>(createFairTurns(TURNS), kept)
  return {
    index: ({ address }: PublicVisit) =>
      keep(networkOf(address), 'index', async () => sitemapIndex(baseUrl, (await readEdges(database)).length + 1)),
    file: ({ address }: PublicVisit, number: number) =>
      keep(networkOf(address), String(number), async () => {
        const masjids = await readFile(database, number)
        if (masjids === undefined) throw notFound()
        return sitemapFile(baseUrl, masjids)
      }),
  }
}

const XML = 'application/xml; charset=utf-8'
const LONGEST_NUMBER = 4

const fileNumber = (text: string): number => {
  if (/^[1-9]\d*$/.test(text) && text.length <= LONGEST_NUMBER) return Number(text)
  throw notFound()
}

export const addCrawlerRoutes = (server: FastifyInstance, parts: CrawlerParts): Promise<void> => {
  const { index, file } = createReading(parts)
  const robots = (): PublicAnswer =>
    publicFile('text/plain; charset=utf-8', robotsText(parts.baseUrl), { maxAge: MAX_AGE })
  const sendXml = async (text: Promise<string>): Promise<PublicAnswer> =>
    publicFile(XML, await text, { maxAge: MAX_AGE })
  return addPublicPages(server, parts.pages, routes => {
    routes.get('/robots.txt', robots, { points: 1 })
    routes.get('/sitemap.xml', visit => sendXml(index(visit)))
    routes.get('/sitemap-:number.xml', visit => sendXml(file(visit, fileNumber(visit.parameters.text('number')))))
  })
}
