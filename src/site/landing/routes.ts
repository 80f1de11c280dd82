// GET / → the landing page.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import type { DocsParts } from '../docs/routes.ts'
import { exampleQueries } from '../explorer/example-queries.ts'
import { showPage } from '../frame/page-reply.ts'
import { addPages } from '../frame/page-routes.ts'
import { landingPage } from './landing-page.ts'
import { createShowcase } from './showcase.ts'

export interface LandingParts extends DocsParts {
  readonly sandboxUrl: string
  readonly sandbox: { readonly endpoint: { readonly engine: Engine } }
  readonly clock: Clock
  readonly log: Logger
}

const firstQuery = (clock: Clock): string => exampleQueries(clock.now().toISOString().slice(0, 10))[0]?.query ?? ''

export const addLanding = (server: FastifyInstance, parts: LandingParts): Promise<void> => {
  const { sandboxUrl, sandbox, clock, log, documentation, pages } = parts
  const query = (): string => firstQuery(clock)
  const shown = createShowcase({ engine: sandbox.endpoint.engine, clock, log, query })
  const origin = new URL(sandboxUrl).origin
  return addPages(server, pages, routes =>
    routes.getShared('/', async view => {
      const { showcase, seconds } = await shown()
      const guides = documentation().in[view.language].contents.guides
      const page = landingPage(view, { sandboxUrl, query: query(), showcase, guides })
      return { page: showPage(page, { formTargets: [origin], scriptAsks: [origin, "'self'"] }), holds: seconds }
    }),
  )
}
