// Every page and form of the staff area, as the service registers them: so that none can be added without being tried.
import Fastify from 'fastify'
import { addStaffRoutes } from '../../src/site/staff/routes.ts'
import type { StaffParts } from '../../src/site/staff/staff-parts.ts'

export interface StaffRoute {
  readonly method: string
  /** As registered: `/staff/:slug/events/:id`. */
  readonly url: string
}

export const staffRoutes = async (): Promise<StaffRoute[]> => {
  const found: StaffRoute[] = []
  const server = Fastify()
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if ((one === 'GET' || one === 'POST') && /^\/staff\/:slug(\/|$)/.test(url)) found.push({ method: one, url })
  })
  // No request reaches a handler, so that nothing is used of the parts.
  await addStaffRoutes(server, { pages: { visits: {}, production: false } } as unknown as StaffParts)
  await server.close()
  return found
}
