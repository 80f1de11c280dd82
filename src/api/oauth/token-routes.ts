// The endpoints that apps post forms to: token, revoke, introspect, pushed requests, device authorization.
import type { FastifyInstance } from 'fastify'
import { countedBy } from '../../http/charges/charge.ts'
import { chargeRoutes } from '../../http/charges/charge-addresses.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import { acceptFormsOnly, refuseOtherMethods, toFormPost } from '../../http/form-post.ts'
import type { Handler } from '../../http/handler.ts'
import { leaveBodies, leaveTo } from '../../http/leave-to-transport.ts'
import { pushRequest } from '../../oauth/authorize/push.ts'
import { startDeviceFlow } from '../../oauth/device/device-authorization.ts'
import { paths } from '../../oauth/discovery.ts'
import { introspectToken } from '../../oauth/introspect.ts'
import type { Provider } from '../../oauth/provider.ts'
import { revokeToken } from '../../oauth/revoke.ts'

const posted = [paths.token, paths.introspect, paths.revoke, paths.push, paths.device]

/** Those that did not come straight from the listener, with the path spelled another way. */
const addTokenRoute = async (scope: FastifyInstance, handle: Handler): Promise<void> => {
  leaveBodies(scope)
  scope.post(paths.token, leaveTo(handle))
}

export const tokenRoutes = async (server: FastifyInstance, provider: Provider, handleToken: Handler): Promise<void> => {
  chargeRoutes(server, countedBy('refusals of an address: 100 in ten minutes; requests of a client'))
  await server.register(scope => addTokenRoute(scope, handleToken))
  await acceptFormsOnly(server)
  allowAnyOrigin(server, ['POST'], posted)
  refuseOtherMethods(server, posted)
  // RFC 6749 section 5.1: no cache may store a token, or an error returned instead of one.
  server.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    done()
  })
  server.post(paths.introspect, request => introspectToken(provider.introspect, toFormPost(request)))
  server.post(paths.device, request => startDeviceFlow(provider.authorize, toFormPost(request)))
  server.post(paths.push, async (request, reply) => {
    const pushed = await pushRequest(provider.authorize, toFormPost(request))
    return reply.status(201).send(pushed)
  })
  server.post(paths.revoke, async (request, reply) => {
    await revokeToken(provider.revoke, toFormPost(request))
    // RFC 7009 section 2.2 ignores the body, but some client libraries parse every response as JSON.
    return reply.send({})
  })
}
