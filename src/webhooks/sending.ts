// The parts of the service → what sending needs: engines, the way to the outside world, the secret that seals.
import type { Logger } from '../base/log.ts'
import type { Secrets } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { type Dial, publicDial } from '../outbound/way.ts'
import type { Sending } from './attempt.ts'
import { sealingSecret } from './secrets.ts'

export interface SendingParts {
  readonly database: Database
  readonly log: Logger
  readonly graphql: Engine
  readonly sandbox: { readonly endpoint: { readonly engine: Engine } }
  readonly store: { readonly secrets: Secrets }
  readonly config: { readonly mode: 'development' | 'production' }
  /** Undefined: the public internet only. */
  readonly dial?: Dial | undefined
}

export const sendingFrom = (parts: SendingParts): Omit<Sending, 'stopping'> => ({
  database: parts.database,
  log: parts.log,
  engines: { live: parts.graphql, test: parts.sandbox.endpoint.engine },
  dial: parts.dial ?? publicDial,
  loopback: parts.config.mode === 'development',
  sealing: sealingSecret(parts.store.secrets),
})
