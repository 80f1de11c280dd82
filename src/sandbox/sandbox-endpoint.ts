// The sandbox endpoint: the same GraphQL entrance over invented data, with a grant for everyone and responses cached for a minute.
import type { Access } from '../access/create-access.ts'
import type { KeyLimits } from '../access/key-limits.ts'
import type { FairTurns } from '../base/fair-turns.ts'
import { networkOf } from '../base/ip-address.ts'
import type { Counting } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import type { Config } from '../config/config.ts'
import type { Listener } from '../db/listener.ts'
import type { Graphql } from '../graphql/create-graphql.ts'
import type { Admission, Endpoint } from '../graphql/entrance/entrance.ts'
import { createPersistedQueries } from '../graphql/persisted-queries.ts'
import type { OperationMeter } from '../metrics/operation-meter.ts'
import { createKeptFeeds, type KeptFeeds } from './kept-feeds.ts'
import { RENEWED_CHANNEL } from './renew-fixtures.ts'
import { createRequestLimit, type RequestLimit, ROWS_PER_POINT } from './request-limit.ts'
import { createSandboxResponses } from './response-cache.ts'
import { createSandboxCredentials } from './sandbox-grant.ts'

export interface SandboxParts {
  readonly engine: Graphql
  readonly access: Access
  /** Of its listener. */
  readonly sandboxUrl: string
  readonly listener: Listener
  /** Undefined if limits are switched off. */
  readonly counting: Counting | undefined
  readonly keyLimits: KeyLimits
  readonly turns: FairTurns
  readonly config: Pick<Config, 'mode'>
  readonly log: Logger
  readonly meter?: OperationMeter | undefined
}

export interface Sandbox {
  readonly endpoint: Endpoint
  readonly limit: RequestLimit
  readonly feeds: KeptFeeds
}

/** By address, since nobody has to identify themselves. The remaining budget is not sent: responses are shared through the cache. */
const allowanceOf =
  (limit: RequestLimit): NonNullable<Admission['allowanceOf']> =>
  (_grant, request) => ({
    take: rows => limit.take(networkOf(request.clientAddress()), Math.floor(rows / ROWS_PER_POINT)),
    headers: () => ({}),
  })

/** The cache is cleared when the data are renewed, and when notifications may have been missed. */
export const createSandbox = async (parts: SandboxParts): Promise<Sandbox> => {
  const { engine, access, listener, counting, keyLimits, turns, config, log, meter } = parts
  const version = (): string => engine.structures.current().version
  const cache = createSandboxResponses({ version })
  const feeds = createKeptFeeds(version)
  const clear = (): void => {
    cache.clear()
    feeds.clear()
  }
  await listener.on(RENEWED_CHANNEL, clear)
  listener.onReconnected(clear)
  const limit = createRequestLimit(counting)
  const endpoint: Endpoint = {
    engine,
    credentials: createSandboxCredentials(access, parts.sandboxUrl),
    persisted: createPersistedQueries(),
    admission: {
      admit: request => limit.take(networkOf(request.clientAddress())),
      allowanceOf: allowanceOf(limit),
      keyLimits,
      turns,
      // Not by credential: everyone shares the public test key.
      whoOf: request => networkOf(request.clientAddress()),
    },
    keeping: { cache },
    telling: { record: () => undefined, meter, showSql: config.mode !== 'production', log },
  }
  return { endpoint, limit, feeds }
}
