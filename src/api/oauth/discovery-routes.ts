// Routes of the discovery documents and of the keys to verify tokens with.
import type { FastifyInstance } from 'fastify'
import { points } from '../../http/charges/charge.ts'
import { chargeRoutes } from '../../http/charges/charge-addresses.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import { discoveryDocument, paths, resourceDocument } from '../../oauth/discovery.ts'
import { JWKS_MAX_AGE_SECONDS } from '../../oauth/lifetimes.ts'
import type { Provider } from '../../oauth/provider.ts'

const DOCUMENT_MAX_AGE_SECONDS = 3600

export const discoveryRoutes = async (
  server: FastifyInstance,
  { issuer, selfDescribed }: Pick<Provider, 'issuer' | 'selfDescribed'>,
): Promise<void> => {
  chargeRoutes(server, points(1))
  allowAnyOrigin(server, ['GET'], ['/.well-known/*'])
  const serve = (path: string, document: object): void => {
    const body = JSON.stringify(document)
    server.get(path, (_request, reply) => {
      reply.header('cache-control', `public, max-age=${DOCUMENT_MAX_AGE_SECONDS}`).type('application/json').send(body)
    })
  }
  const discovery = discoveryDocument(issuer.baseUrl, { selfDescribed })
  serve('/.well-known/openid-configuration', discovery)
  serve('/.well-known/oauth-authorization-server', discovery)
  serve('/.well-known/oauth-protected-resource', resourceDocument(issuer.baseUrl, ''))
  serve('/.well-known/oauth-protected-resource/v1/graphql', resourceDocument(issuer.baseUrl, '/v1/graphql'))
  serve(`/.well-known/oauth-protected-resource${paths.mcp}`, resourceDocument(issuer.baseUrl, paths.mcp))
  // RFC 7517 section 8.5.1 defines the type.
  server.get(paths.jwks, (_request, reply) => {
    reply
      .header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
      .type('application/jwk-set+json')
      .send(issuer.keys.current().jwks)
  })
}
