// Style sheet and images of ours, under names that change with their content.
import type { FastifyInstance } from 'fastify'
import { assets, icon } from '../web/assets.ts'

export const addAssetRoutes = (server: FastifyInstance): void => {
  for (const { path, type, body } of assets) {
    server.get(path, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .send(body),
    )
  }
  // Browsers ask for this name whatever the page says.
  server.get('/favicon.ico', async (_request, reply) =>
    reply.type(icon.type).header('cache-control', 'public, max-age=86400').send(icon.body),
  )
}
