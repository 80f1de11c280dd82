// Every route of a running service, as it registers them: so that none can be added unnoticed.
import diagnostics from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

export interface ServedRoute {
  readonly method: string
  /** As registered: `/console/apps/:id/edit`. */
  readonly path: string
}

/** The routes of whatever starts meanwhile. Fastify announces each of its servers. */
export const servedRoutes = async <T>(
  start: () => Promise<T>,
): Promise<{ readonly started: T; readonly routes: readonly ServedRoute[] }> => {
  const routes: ServedRoute[] = []
  const listen = (message: unknown): void => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url: path }) => {
      for (const one of [method].flat()) routes.push({ method: one, path })
    })
  }
  diagnostics.subscribe('fastify.initialization', listen)
  try {
    return { started: await start(), routes }
  } finally {
    diagnostics.unsubscribe('fastify.initialization', listen)
  }
}
