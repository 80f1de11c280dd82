// GET / → the landing page.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { DocsParts } from '../docs/routes.ts'
import { exampleQueries } from '../explorer/example-queries.ts'
import { showPage } from '../frame/page-reply.ts'
import { addPages } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { landingPage } from './landing-page.ts'

export interface LandingParts extends DocsParts {
  readonly sandboxUrl: string
  readonly clock: Clock
}

const showLanding = ({ sandboxUrl, clock, documentation }: LandingParts, { view }: Visit) => {
  const query = exampleQueries(clock.now().toISOString().slice(0, 10))[0]?.query ?? ''
  const origin = new URL(sandboxUrl).origin
  return showPage(landingPage(view, { sandboxUrl, query, guides: documentation().contents.guides }), {
    formTargets: [origin],
    scriptAsks: [origin],
  })
}

export const addLanding = (server: FastifyInstance, parts: LandingParts): Promise<void> =>
  addPages(server, parts.pages, routes => routes.get('/', visit => showLanding(parts, visit)))
