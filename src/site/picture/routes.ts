// The pictures of those who have chosen none: drawn from the identifier alone, so that nothing can be learned from them.
import type { FastifyInstance } from 'fastify'
import { paths } from '../../oauth/discovery.ts'
import { defaultPicture } from './default-picture.ts'

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

export const pictureRoutes = (server: FastifyInstance): void => {
  server.get<{ Params: { id: string } }>(
    `${paths.pictures}/:id.svg`,
    { schema: { params: { type: 'object', properties: { id: { type: 'string', pattern: UUID } } } } },
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
