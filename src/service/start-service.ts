// Config → a running service: listeners, data, parts, routes and jobs, in dependency order.
import { setTimeout as delay } from 'node:timers/promises'
import { MCP_PATH } from '../access/resources.ts'
import { createTimesEntrance } from '../api/times/times-entrance.ts'
import { readOwnBuild } from '../base/build/own-build.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseAway } from '../db/database-fault.ts'
import { withRefusalsExplained } from '../db/explain-refusal.ts'
import { createEntrance, type Endpoint } from '../graphql/entrance/entrance.ts'
import { traceEntrance } from '../graphql/entrance/trace-entrance.ts'
import type { Entrance } from '../graphql/entrance/transport.ts'
import type { LiveRules } from '../graphql/live/admission.ts'
import { createLive } from '../graphql/live/live.ts'
import { relayEndpoint } from '../graphql/relay/relay-endpoint.ts'
import { createSlowStatements } from '../graphql/slow-statements.ts'
import { type Binding, drain, renewConnections, unbind } from '../http/bind.ts'
import type { DeclaredRoute } from '../http/charges/charge-addresses.ts'
import { createNodeTransport, type NodeTransport } from '../http/graphql/node-transport.ts'
import { PATH, RELAY_PATH, TIMES_PATH } from '../http/graphql/paths.ts'
import type { Handler } from '../http/handler.ts'
import { createOpenConnections } from '../http/live/open-connections.ts'
import { createSingleStreams } from '../http/live/single-streams.ts'
import { createSockets } from '../http/live/sockets.ts'
import type { PlainPath } from '../http/plain/plain-connection.ts'
import { createProxies } from '../http/proxies/proxies.ts'
import { createServer } from '../http/server.ts'
import { createWatching, type ListenerName } from '../metrics/watching.ts'
import { tracedDial } from '../outbound/traced-dial.ts'
import { openTracer } from '../tracing/open-tracer.ts'
import { createAssistants } from './assistants.ts'
import { startJobs } from './jobs.ts'
import { type Listeners, openListeners } from './listeners.ts'
import { mainRules, sandboxRules } from './live-rules.ts'
import { connectionFamilies, endpointFamilies } from './metrics/part-families.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { watchParts } from './metrics/watch-parts.ts'
import { openData } from './open-data.ts'
import { createParts, type Parts } from './parts.ts'
import { createReadiness, type Readiness } from './readiness.ts'
import { addMainRoutes, addSandboxListenerRoutes, liveEndpoint } from './routes.ts'
import type { ServiceOptions } from './service-options.ts'
import { createTokenEndpoint } from './token-endpoint.ts'
import { createUnwind, type Unwind } from './unwind.ts'
import { createWarmUp } from './warm-up.ts'

export interface Service {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** Undefined if there are no metrics, or another process serves them. */
  readonly metricsUrl: string | undefined
  /** The bound port, which may differ from the public one behind a proxy. */
  readonly port: number
  /** Of the owner, with time for long statements. */
  readonly database: Database
  /** `/readyz` fails from now on, and responses end their connections, so that balancers turn elsewhere. */
  drain(): void
  /** Each connection that is open now ends with its next response, so that clients spread over all processes again. */
  renew(): void
  /** Makes what the first visitors would wait for, beside everything else. */
  warmUp(): Promise<void>
  /** Finishes the requests in progress, then releases everything. */
  stop(): Promise<void>
}

const whatIsMissing =
  (readiness: Readiness, { graphql }: Parts, { main }: Listeners) =>
  async (): Promise<string[]> => {
    if (main.draining) return ['the process is stopping']
    const reached = await readiness.reachesDatabase()
    return [
      ...(reached ? [] : ['the database cannot be reached, or not be written to']),
      ...(graphql.reader.ready ? [] : ['no connection to read from']),
    ]
  }

const READY_MS = 10_000

/** The last connections are opened in the background: whoever is told that the service has started finds it ready. */
const untilReady = async (notReady: () => Promise<readonly string[]>): Promise<void> => {
  for (const deadline = Date.now() + READY_MS; (await notReady()).length > 0 && Date.now() < deadline; ) await delay(20)
}

/** What one listener serves ahead of its routes. */
interface Opened {
  readonly name: ListenerName
  readonly binding: Binding
  readonly bare: Endpoint
  readonly rules: LiveRules
  /** Beside GraphQL and assistants. */
  readonly post?: PlainPath & { readonly transport: NodeTransport }
}

const serve = async (
  listeners: Listeners,
  parts: Parts,
  options: ServiceOptions,
  undo: Unwind,
): Promise<Service['warmUp']> => {
  const { log, config, store, watching, tracer } = parts
  const { requestDeadlineMs: deadlineMs } = config
  const proxies = createProxies(config.trustedProxies, log)
  const readiness = createReadiness(store.owner)
  undo.add(() => readiness.close())
  const notReady = whatIsMissing(readiness, parts, listeners)
  const doctor = { secrets: store.secrets, clock: parts.clock }
  const frame = { log, proxies, doctor, deadlineMs, notReady, budget: parts.budget, build: parts.build }
  const connections = createOpenConnections()
  watching.add(() => connectionFamilies(connections.size))
  const { serverTiming: showsTiming, slowStatementMs: slowMs } = config.observability
  const slow = slowMs === undefined ? undefined : createSlowStatements({ slowMs, log })
  const enter = (endpoint: Endpoint): Entrance => {
    const entrance = createEntrance(endpoint)
    return tracer === undefined ? entrance : traceEntrance(entrance, tracer)
  }
  const open = ({ name, binding, bare, rules, post }: Opened) => {
    const endpoint = { ...bare, telling: { ...bare.telling, showsTiming, slow } }
    const entrance = enter(endpoint)
    const live = createLive(endpoint, rules)
    const streams = { endpoint, entrance, live, connections }
    undo.add(() => live.close())
    watching.add(() => endpointFamilies(name, endpoint, live))
    const observe = watching.observe[name]
    const node = { log, proxies }
    const methods = ['GET', 'HEAD', 'POST'] as const
    const transport = createNodeTransport({ ...node, path: PATH, methods, entrance, streams })
    const relay = relayEndpoint(endpoint)
    const relayTransport = createNodeTransport({ ...node, path: RELAY_PATH, methods, entrance: enter(relay) })
    const { baseUrl, ...mcp } = createAssistants(name, parts, endpoint)
    const paths = [
      { path: PATH, entrance, streams: true },
      { path: MCP_PATH, entrance: mcp.entrance, streams: false },
      ...(post === undefined ? [] : [post]),
    ]
    const plain = config.plainConnections ? { ...node, paths, observe } : undefined
    const timesEntrance = createTimesEntrance({ ...parts, limit: parts.sandbox.limit, deadlineMs })
    const times = createNodeTransport({ ...node, path: TIMES_PATH, methods: ['GET', 'HEAD'], entrance: timesEntrance })
    const mcpTransport = createNodeTransport({ ...node, path: MCP_PATH, methods: ['POST'], entrance: mcp.entrance })
    const onRoutes = (routes: readonly DeclaredRoute[]): void => options.onRoutes?.(name, routes)
    const endpoints = {
      tables: endpoint,
      relay,
      transports: { tables: transport, relay: relayTransport, streams: createSingleStreams(streams, proxies) },
      times,
      assistants: { handle: mcpTransport.handle, baseUrl, close: mcp.close },
    }
    return {
      endpoints,
      options: {
        ...frame,
        binding,
        front: (next: Handler) =>
          transport.before(mcpTransport.before(times.before(post?.transport.before(next) ?? next))),
        plain,
        upgrades: createSockets({ ...streams, proxies, budget: parts.budget }),
        observe,
        onRoutes,
      },
    }
  }
  const invented = open({
    name: 'sandbox',
    binding: listeners.sandbox,
    bare: parts.sandbox.endpoint,
    rules: sandboxRules(config),
  })
  const sandbox = await createServer(invented.options, server =>
    addSandboxListenerRoutes(server, parts, invented.endpoints),
  )
  const post = createTokenEndpoint(parts, proxies)
  const live = open({
    name: 'main',
    binding: listeners.main,
    bare: liveEndpoint(parts),
    rules: mainRules(config),
    post,
  })
  const main = await createServer(live.options, server =>
    addMainRoutes(server, { ...parts, connections }, { ...live.endpoints, tokens: post.transport.handle }, sandbox),
  )
  await untilReady(notReady)
  for (const server of [sandbox, main]) undo.add(() => server.close())
  const warmUp = createWarmUp(main, parts.graphql)
  undo.add(() => warmUp.ended())
  // Runs first on shutdown: no new requests, and those in progress finish while their dependencies still exist.
  undo.add(() => {
    warmUp.leave()
    connections.leaveAll()
    return Promise.all([unbind(listeners.main), unbind(listeners.sandbox)])
  })
  return warmUp.run
}

export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { config, log } = options
  const build = readOwnBuild()
  const { metricsPort, accessLog, tracing } = config.observability
  const undo = createUnwind()
  const tracer = await openTracer(tracing)
  undo.add(() => tracer?.close())
  const dial = tracedDial(options.dial, tracer)
  const watching = createWatching({
    metrics: metricsPort !== undefined,
    logsAccess: accessLog,
    log,
    tracer,
    isDatabaseAway,
  })
  undo.add(() => watching.close())
  try {
    const listeners = await openListeners(config, undo)
    const { baseUrl, sandboxUrl } = listeners
    const { store, database, background } = await openData({ ...options, watching }, `a service at ${baseUrl}`, undo)
    const ground = { build, config, log, store, database, background, baseUrl, sandboxUrl, dial, watching, tracer }
    const parts = await withRefusalsExplained(store.owner, () => createParts(ground, undo))
    const warmUp = await serve(listeners, parts, options, undo)
    await startJobs(parts, options, undo)
    watchParts(parts)
    const metricsUrl = await serveMetrics(options, watching, undo)
    await listeners.open()
    const both = [listeners.main, listeners.sandbox]
    const renewBoth = (): void => {
      for (const binding of both) renewConnections(binding)
    }
    const drainBoth = (): void => {
      for (const binding of both) drain(binding)
    }
    const addresses = { baseUrl, sandboxUrl, metricsUrl, port: listeners.main.port }
    return { ...addresses, database: background, drain: drainBoth, renew: renewBoth, warmUp, stop: undo.run }
  } catch (error) {
    await undo.run()
    throw error
  }
}
