// Console, review desk and administration on one server, from the parts of the service.

import type { FastifyInstance } from 'fastify'
import type { KeyEnvironment } from '../access/api-key-format.ts'
import type { OwnBuild } from '../base/build/own-build.ts'
import { deriveSecrets } from '../base/secrets.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { Store } from '../db/store.ts'
import type { JobBook } from '../metrics/job-book.ts'
import { SIGNING_KEYS_PURPOSE } from '../oauth/signing-keys/seal.ts'
import { type SendingParts, sendingFrom } from '../webhooks/sending.ts'
import { addAdminRoutes } from './admin/routes.ts'
import { addConsoleRoutes } from './console/routes.ts'
import type { RunQuery } from './console/run-first-query.ts'
import type { PageFrame } from './frame/page-routes.ts'
import { addReviewRoutes } from './review/routes.ts'

export interface AppPagesParts extends Omit<SendingParts, 'config' | 'store'> {
  readonly config: Pick<Config, 'mode'>
  readonly store: Store
  readonly database: Database
  readonly pages: PageFrame
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly watching: { readonly jobs: Pick<JobBook, 'runs'> }
  readonly build: OwnBuild
}

type Servers = Readonly<Record<KeyEnvironment, FastifyInstance>>

/** Queries our own endpoint in-process: it works behind any proxy, and counts like any other request. */
const askOwn =
  (servers: Servers): RunQuery =>
  async (environment, { authorization, body }) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await servers[environment].inject({ method: 'POST', url: '/v1/graphql', headers, payload: body })
    return { status: answer.statusCode, body: answer.body }
  }

export const addAppPages = async (
  live: FastifyInstance,
  test: FastifyInstance,
  parts: AppPagesParts,
): Promise<void> => {
  const { config, store, database } = parts
  const shared = { ...parts, mode: config.mode }
  const keyKeeper = { database, secret: deriveSecrets(store.secrets, SIGNING_KEYS_PURPOSE) }
  await addConsoleRoutes(live, { ...shared, sending: sendingFrom(parts) }, askOwn({ live, test }))
  await addReviewRoutes(live, shared)
  await addAdminRoutes(live, { ...shared, keyKeeper, jobs: parts.watching.jobs, build: parts.build })
}
