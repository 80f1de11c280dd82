// GET /find → masjids by name, city, place and time of Jumu'ah.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { type PublicAnswer, publicPage } from '../frame/public-reply.ts'
import { addPublicPages, type PublicFrame, type PublicVisit } from '../frame/public-routes.ts'
import { findMasjids } from './find-masjids.ts'
import { findPage } from './find-page.ts'
import { isSearch, readWishes, searchParameters } from './find-wishes.ts'

export interface FindParts {
  readonly graphql: Engine
  readonly clock: Clock
  readonly pages: PublicFrame
}

/** Each result shows its next iqamah, so that none of them is kept for long. */
const MAX_AGE = 60

const showFind = async (
  { graphql, clock }: FindParts,
  { view, query, address, languageAsked }: PublicVisit,
): Promise<PublicAnswer> => {
  const wishes = readWishes(query)
  const found = isSearch(wishes) ? await findMasjids(graphql, { wishes, now: clock.now(), address }) : undefined
  return publicPage(findPage(view, { wishes, found, languageAsked }), {
    maxAge: MAX_AGE,
    script: true,
    // Where somebody is concerns nobody in between.
    shared: wishes.near === undefined ? 'public' : 'private',
  })
}

export const addFinder = (server: FastifyInstance, parts: FindParts): Promise<void> =>
  addPublicPages(server, parts.pages, routes =>
    routes.get('/find', visit => showFind(parts, visit), { parameters: searchParameters, points: 20 }),
  )
