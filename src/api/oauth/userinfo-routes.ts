// Userinfo by GET and by POST (OpenID Connect Core section 5.3.1).
import type { FastifyInstance } from 'fastify'
import { pointsOfStrangers } from '../../http/charges/charge.ts'
import { chargingRefusal } from '../../http/charges/charge-addresses.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import { acceptFormsOnly } from '../../http/form-post.ts'
import { paths } from '../../oauth/discovery.ts'
import { readUserinfo, type UserinfoParts } from '../../oauth/userinfo.ts'

export const userinfoRoutes = async (server: FastifyInstance, parts: UserinfoParts): Promise<void> => {
  await acceptFormsOnly(server)
  allowAnyOrigin(server, ['GET', 'POST'], [paths.userinfo])
  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  server.route({
    method: ['GET', 'POST'],
    url: paths.userinfo,
    config: { charge: pointsOfStrangers(2) },
    handler: request => chargingRefusal(request, readUserinfo(parts, request)),
  })
}
