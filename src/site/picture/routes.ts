// Pictures: drawn from the identifier for people who have chosen none, so that nothing can be learned from them; and chosen
// logos and pictures, as we fetched them.

import type { FastifyInstance } from 'fastify'
import { UUID_PATTERN } from '../../base/uuid.ts'
import type { Queryable } from '../../db/database.ts'
import { points } from '../../http/charges/charge.ts'
import { findImage } from '../../images/images.ts'
import { paths } from '../../oauth/discovery.ts'
import { defaultPicture } from './default-picture.ts'

const HASH = '^[0-9a-f]{64}$'
/** However a browser opens the image by itself, it runs nothing and loads nothing. */
const safe = { 'content-security-policy': "default-src 'none'; sandbox", 'x-content-type-options': 'nosniff' }

/** A URL is fetched once, so the file under its name never changes; until then, a drawn one is served. */
const fetchedRoute = (server: FastifyInstance, database: Queryable): void => {
  server.get<{ Params: { name: string } }>(
    `${paths.pictures}/fetched/:name`,
    {
      config: { charge: points(2) },
      schema: { params: { type: 'object', properties: { name: { type: 'string', pattern: HASH } } } },
    },
    async (request, reply) => {
      const { name } = request.params
      const image = await findImage(database, name)
      if (image === undefined)
        return reply
          .headers({ ...safe, 'cache-control': 'no-store' })
          .type('image/svg+xml')
          .send(defaultPicture(name))
      return reply
        .headers({ ...safe, 'cache-control': 'public, max-age=31536000, immutable' })
        .type(image.type)
        .send(image.content)
    },
  )
}

export const pictureRoutes = (server: FastifyInstance, database: Queryable): void => {
  fetchedRoute(server, database)
  server.get<{ Params: { id: string } }>(
    `${paths.pictures}/:id.svg`,
    {
      config: { charge: points(1) },
      schema: { params: { type: 'object', properties: { id: { type: 'string', pattern: UUID_PATTERN } } } },
    },
    (request, reply) => {
      reply
        .headers({
          'cache-control': 'public, max-age=86400',
          'content-security-policy': "default-src 'none'",
          'access-control-allow-origin': '*',
          'x-content-type-options': 'nosniff',
        })
        .type('image/svg+xml')
        .send(defaultPicture(request.params.id))
    },
  )
}
