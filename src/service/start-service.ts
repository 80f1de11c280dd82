// Config → a running service: listeners, data, parts, routes and jobs, in the order they need each other.
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { unbind } from '../http/bind.ts'
import { createPost, PATH, postFirst } from '../http/graphql-post.ts'
import { createServer } from '../http/server.ts'
import { startJobs } from './jobs.ts'
import { type Listeners, openListeners } from './listeners.ts'
import { openData } from './open-data.ts'
import { createParts, type Parts } from './parts.ts'
import { addMainRoutes, addSandboxListenerRoutes, liveGraphql } from './routes.ts'
import type { ServiceOptions } from './service-options.ts'
import { createUnwind, type Unwind } from './unwind.ts'

export interface Service {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** The port that was bound, which a proxy in front may hide. */
  readonly port: number
  readonly database: Database
  /** Finishes the requests under way, then lets go of everything. */
  stop(): Promise<void>
}

const whatIsMissing =
  (database: Database, { graphql }: Parts) =>
  async (): Promise<string[]> => {
    const reached = await database.query(sql`select 1`).then(
      () => true,
      () => false,
    )
    return [
      ...(reached ? [] : ['the database cannot be reached']),
      ...(graphql.reader.ready ? [] : ['no connection to read from']),
    ]
  }

const serve = async (listeners: Listeners, parts: Parts, undo: Unwind): Promise<void> => {
  const { log, config, database } = parts
  const frame = { log, trustedProxies: config.trustedProxies, notReady: whatIsMissing(database, parts) }
  const sandbox = await createServer(
    { ...frame, binding: listeners.sandbox, front: parts.sandbox.front.before },
    server => addSandboxListenerRoutes(server, parts),
  )
  const graphql = liveGraphql(parts)
  const plain = { path: PATH, answer: createPost(graphql) }
  const main = await createServer({ ...frame, binding: listeners.main, front: postFirst(graphql), plain }, server =>
    addMainRoutes(server, parts, { graphql, sandbox }),
  )
  for (const server of [sandbox, main]) undo.add(() => server.close())
  // First of all when it stops: no new requests, and those under way finish while everything they need is there.
  undo.add(() => Promise.all([unbind(listeners.main), unbind(listeners.sandbox)]))
}

export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { config, log, onProgress = () => undefined } = options
  const undo = createUnwind()
  try {
    const listeners = await openListeners(config, undo)
    const { baseUrl, sandboxUrl } = listeners
    const { store, database } = await openData(options, `a service at ${baseUrl}`, undo)
    const parts = await createParts({ config, log, store, database, baseUrl, sandboxUrl }, undo)
    await serve(listeners, parts, undo)
    await startJobs(parts, onProgress, undo)
    return { baseUrl, sandboxUrl, port: listeners.main.port, database, stop: undo.run }
  } catch (error) {
    await undo.run()
    throw error
  }
}
