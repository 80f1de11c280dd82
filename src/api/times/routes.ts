// `/v1/times`: prayer times of any place and day, without a masjid and without a credential; and the description of the paths.
import type { FastifyInstance } from 'fastify'
import { entityTag, isKnown } from '../../base/entity-tag.ts'
import { networkOf } from '../../base/ip-address.ts'
import { countedBy } from '../../http/charges/charge.ts'
import { allowAnyOrigin } from '../../http/cross-origin.ts'
import type { NodeTransport } from '../../http/graphql/node-transport.ts'
import { TIMES_PATH } from '../../http/graphql/paths.ts'
import { leaveTo } from '../../http/leave-to-transport.ts'
import type { RequestLimit } from '../../sandbox/request-limit.ts'
import { openApiDocument } from './openapi.ts'

export interface TimesRoutes {
  readonly times: NodeTransport
  readonly limit: RequestLimit
  readonly url: string
}

const OPENAPI_PATH = '/v1/openapi.json'

const charge = countedBy('the limit of the sandbox, by address: one request, one more for every 20 days')

/** Any origin may call these: nothing here reads cookies, and everybody is told the same. */
export const addTimesRoutes = async (server: FastifyInstance, { times, limit, url }: TimesRoutes): Promise<void> => {
  const document = Buffer.from(JSON.stringify(openApiDocument(url)))
  const documentTag = entityTag(document)
  await server.register(async scope => {
    allowAnyOrigin(scope, ['GET', 'HEAD'], [TIMES_PATH, OPENAPI_PATH])
    scope.get(TIMES_PATH, { config: { charge } }, leaveTo(times.handle))
    scope.get(OPENAPI_PATH, { config: { charge } }, (request, reply) => {
      limit.take(networkOf(request.clientAddress))
      void reply.headers({ etag: documentTag, 'cache-control': 'public, max-age=3600' })
      if (isKnown(request.headers['if-none-match'], documentTag)) return reply.status(304).send()
      return reply.header('content-type', 'application/json; charset=utf-8').send(document)
    })
  })
}
