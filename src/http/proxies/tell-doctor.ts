// GET /.well-known/minaret-sighting: tells `minaret doctor`, and nobody else, how its own request arrived. To others nothing is there.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/secrets.ts'
import { pointsOfStrangers } from '../charges/charge.ts'
import { notFound } from '../not-found.ts'
import { DOCTOR_HEADER, isDoctorToken, SIGHTING_PATH } from './doctor-token.ts'
import type { Proxies } from './proxies.ts'

export interface TellDoctor {
  readonly secrets: Secrets
  readonly clock: Clock
}

/** As what is not there. The doctor pays nothing: it has to find out why everybody is refused. */
const config = { charge: pointsOfStrangers(2) }

export const tellDoctor = (server: FastifyInstance, proxies: Proxies, { secrets, clock }: TellDoctor): void => {
  server.get(SIGHTING_PATH, { config }, async (request, reply) => {
    if (!isDoctorToken(request.headers[DOCTOR_HEADER], secrets, clock.now())) {
      request.chargeStranger()
      throw notFound()
    }
    return reply.header('cache-control', 'no-store').send(proxies.sighting(request.raw))
  })
}
