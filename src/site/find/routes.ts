// GET /find → masjids by name, city, place and time of Jumu'ah. GET /find/suggestions → what somebody who types may mean.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { type PublicAnswer, publicFile, publicPage } from '../frame/public-reply.ts'
import { addPublicPages, type PublicFrame, type PublicVisit } from '../frame/public-routes.ts'
import { holdsUntil } from '../masjid/holds-for.ts'
import { comesOn } from '../masjid/public-times.ts'
import { type Found, findMasjids } from './find-masjids.ts'
import { findPage } from './find-page.ts'
import { isSearch, readWishes, searchParameters } from './find-wishes.ts'
import { suggest } from './suggest.ts'

export interface FindParts {
  readonly graphql: Engine
  readonly clock: Clock
  readonly pages: PublicFrame
}

/** Of suggestions, which are names alone. */
const MAX_AGE = 60

/** Each result shows what comes next. */
const comingOf = ({ masjids }: Found): readonly Date[] =>
  masjids.flatMap(({ next }) => next.map(comesOn)).filter(moment => moment !== undefined)

const showFind = async (
  { graphql, clock }: FindParts,
  { view, query, address, languageAsked }: PublicVisit,
): Promise<PublicAnswer> => {
  const wishes = readWishes(query)
  const now = clock.now()
  const found = isSearch(wishes) ? await findMasjids(graphql, { wishes, now, address }) : undefined
  return publicPage(findPage(view, { wishes, found, languageAsked }), {
    ...holdsUntil(found === undefined ? [] : comingOf(found), now),
    script: true,
    asks: true,
    // Where somebody is concerns nobody in between.
    shared: wishes.near === undefined ? 'public' : 'private',
  })
}

const sendSuggestions = async (
  { graphql }: FindParts,
  { view, query, address }: PublicVisit,
): Promise<PublicAnswer> => {
  const wishes = readWishes(query)
  const values = await suggest(graphql, { wishes, language: view.language, address })
  const shared = wishes.near === undefined ? 'public' : 'private'
  return {
    ...publicFile('application/json; charset=utf-8', JSON.stringify(values), { maxAge: MAX_AGE, byLanguage: true }),
    shared,
  }
}

export const addFinder = (server: FastifyInstance, parts: FindParts): Promise<void> =>
  addPublicPages(server, parts.pages, routes => {
    routes.get('/find', visit => showFind(parts, visit), { parameters: searchParameters, points: 20 })
    routes.get('/find/suggestions', visit => sendSuggestions(parts, visit), {
      parameters: ['q', 'lat', 'lon'],
      points: 5,
    })
  })
