// The base of every listener: Fastify with request ids, error responses and health checks; the caller adds routes.
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { MCP_PATH } from '../access/resources.ts'
import type { AddressBudget } from '../base/address-budget.ts'
import type { OwnBuild } from '../base/build/own-build.ts'
import type { Logger } from '../base/log.ts'
import type { Observe } from '../metrics/watching.ts'
import { paths } from '../oauth/discovery.ts'
import { answerInTime } from './answer-in-time.ts'
import { attach, type Binding } from './bind.ts'
import { free } from './charges/charge.ts'
import { chargeAddresses, type DeclaredRoute } from './charges/charge-addresses.ts'
import { PATH, TIMES_PATH } from './graphql/paths.ts'
import type { Handler } from './handler.ts'
import type { Upgrades } from './live/sockets.ts'
import { nameByRoute, named } from './name-requests.ts'
import { refuseNulInPath } from './no-nul-in-path.ts'
import { notFound } from './not-found.ts'
import { observeRequests } from './observe-requests.ts'
import type { PlainRoutes } from './plain/plain-lane.ts'
import type { Proxies } from './proxies/proxies.ts'
import { type TellDoctor, tellDoctor } from './proxies/tell-doctor.ts'
import { refuseUnreadable } from './refuse-unreadable.ts'
import { replyWithFault } from './reply-with-fault.ts'
import { withSingleHeaders } from './single-headers.ts'

export interface FrameOptions {
  /** What `/healthz` says is running. */
  readonly build: OwnBuild
  readonly binding: Binding
  readonly log: Logger
  readonly proxies: Proxies
  readonly doctor: TellDoctor
  /** How long a request may take, its time in queues included. */
  readonly deadlineMs: number
  /** What is asked without a credential is charged to. */
  readonly budget: AddressBudget
  /** Told about all routes, once they are registered. */
  readonly onRoutes?: ((routes: readonly DeclaredRoute[]) => void) | undefined
  /** What is not ready yet, in words; empty if everything is. */
  readonly notReady: () => Promise<readonly string[]>
  /** Adds a handler before all routes: the sandbox serves cached responses there. */
  readonly front?: (next: Handler) => Handler
  /** Handles plain requests to a few paths, before even Node's own server reads them. */
  readonly plain?: PlainRoutes | undefined
  /** Takes connections that become something else than HTTP. */
  readonly upgrades?: Upgrades | undefined
  /** Told about every answered request; undefined if nobody wants to know. */
  readonly observe?: Observe | undefined
}

const BODY_LIMIT = 256 * 1024

const health = {
  config: { charge: free('balancers ask every second; readiness is asked of the database once for all') },
}

const addHealth = (server: FastifyInstance, { notReady, build }: Pick<FrameOptions, 'notReady' | 'build'>): void => {
  server.get('/healthz', health, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive', ...build }),
  )
  server.get('/readyz', health, async (_request, reply) => {
    const missing = await notReady()
    reply.header('cache-control', 'no-store').status(missing.length === 0 ? 200 : 503)
    return missing.length === 0 ? { status: 'ready' } : { status: 'not ready', missing }
  })
}

export const createServer = async (
  options: FrameOptions,
  addRoutes: (server: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> => {
  const { proxies } = options
  let answerWith: Handler | undefined
  const observer =
    options.observe === undefined
      ? undefined
      : observeRequests({ observe: options.observe, proxies, frontPaths: [PATH, MCP_PATH, paths.token, TIMES_PATH] })
  const server = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    // Log lines name their request themselves: a logger per request would cost more than most requests do.
    childLoggerFactory: logger => logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: proxies.requestId,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      replyWithFault(error, request, reply)
    },
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
    serverFactory: handler => {
      const single = withSingleHeaders(options.front?.(handler) ?? handler, proxies)
      answerWith = named(observer?.around(single) ?? single)
      return options.binding.server
    },
  })
  server.decorateRequest('clientAddress', {
    getter() {
      return proxies.clientAddress(this.raw)
    },
  })
  const routes = chargeAddresses(server, options.budget)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    observer?.note(request.raw, request.routeOptions.url)
    done()
  })
  nameByRoute(server)
  refuseNulInPath(server)
  server.setErrorHandler(replyWithFault)
  server.setNotFoundHandler((request, reply) => replyWithFault(notFound(), request, reply))
  answerInTime(server, options.deadlineMs)
  addHealth(server, options)
  tellDoctor(server, proxies, options.doctor)
  await addRoutes(server)
  await server.ready()
  const declared = routes()
  options.onRoutes?.(declared)
  // Only now: before all routes are registered, an existing URL would get a 404.
  if (answerWith !== undefined)
    await attach(options.binding, { handler: answerWith, plain: options.plain, upgrades: options.upgrades })
  return server
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The address for limits and logs; `ip` is the peer, which may be a proxy. */
    readonly clientAddress: string
  }
}
