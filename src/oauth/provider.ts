// The authorization server, created once at startup: the dependencies of each endpoint, and no more.
import type { Access } from '../access/create-access.ts'
import { createUseOnce } from '../access/used-ids.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { systemClock } from '../base/clock.ts'
import type { FairTurns } from '../base/fair-turns.ts'
import type { Counting } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import { deriveSecret, deriveSecrets, type Secrets } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import type { Counter } from '../metrics/counter.ts'
import type { WatchJob } from '../metrics/job-book.ts'
import type { Dial } from '../outbound/guarded-fetch.ts'
import type { AuthorizeParts } from './authorize/authorize-parts.ts'
import { createClientDirectory, withoutSelfDescribed } from './clients/client-directory.ts'
import { createPublishedKeys } from './clients/published-keys.ts'
import { createVerifyAssertion } from './clients/verify-assertion.ts'
import { createGuessLimit, noGuessLimit } from './device/limit-guesses.ts'
import { paths } from './discovery.ts'
import { createEndTokens } from './end-tokens.ts'
import { createFindSubject } from './find-subjects.ts'
import { createRedemption } from './grants/redeem-codes.ts'
import { createRotation } from './grants/rotate-refresh-tokens.ts'
import type { IntrospectParts } from './introspect.ts'
import type { Issuer } from './issuer.ts'
import { createOauthLimits } from './limits.ts'
import type { RevokeParts } from './revoke.ts'
import { createIntroduce, type Introduce, type IntroduceParts } from './self-described/introduce.ts'
import { openLiveKeyRing } from './signing-keys/live-key-ring.ts'
import { SIGNING_KEYS_PURPOSE } from './signing-keys/seal.ts'
import type { TokenParts } from './token.ts'
import type { UserinfoParts } from './userinfo.ts'

export interface Provider {
  readonly selfDescribed: boolean
  readonly issuer: Issuer
  readonly authorize: AuthorizeParts
  readonly token: TokenParts
  readonly revoke: RevokeParts
  readonly introspect: IntrospectParts
  readonly userinfo: UserinfoParts
}

export interface ProviderParts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly httpsOnly: boolean
  readonly database: Database
  readonly listener: Listener
  readonly access: Access
  readonly audit: AuditTrail
  readonly log: Logger
  /** Undefined if limits are switched off. */
  readonly counting: Counting | undefined
  /** Of the token endpoint. */
  readonly turns: FairTurns
  /** The installation's secret. */
  readonly secrets: Secrets
  /** How keys and documents that apps publish are fetched; undefined: from the public internet only. */
  readonly dial?: Dial | undefined
  /** Whether apps may describe themselves. */
  readonly selfDescribed: boolean
  /** Of requests to the token endpoint. */
  readonly counter?: Counter | undefined
  readonly watch?: WatchJob | undefined
}

const openIssuer = async (parts: ProviderParts): Promise<Issuer> => {
  const { baseUrl, sandboxUrl, database, listener, log, watch } = parts
  const clock = systemClock
  const secret = deriveSecrets(parts.secrets, SIGNING_KEYS_PURPOSE)
  const keys = await openLiveKeyRing({ database, listener, clock, log, secret, watch })
  return { baseUrl, sandboxUrl, clock, keys }
}

/** Those that are known keep their rows while it is switched off, and can do nothing. */
const openIntroduction = (
  { selfDescribed, database, dial }: ProviderParts,
  known: Omit<IntroduceParts, 'database' | 'dial'>,
): Introduce => {
  if (selfDescribed) return createIntroduce({ ...known, database, dial })
  return async clientId => known.find(clientId)
}

export const createProvider = async (parts: ProviderParts): Promise<Provider> => {
  const { baseUrl, httpsOnly, database, listener, access, audit } = parts
  const issuer = await openIssuer(parts)
  const verifyAssertion = createVerifyAssertion({
    audiences: [baseUrl, baseUrl + paths.token],
    clock: issuer.clock,
    published: createPublishedKeys(parts.dial, issuer.clock),
    useOnce: createUseOnce(database),
  })
  const registered = await createClientDirectory({ database, listener, lastUsed: access.lastUsed, verifyAssertion })
  const clients = parts.selfDescribed ? registered : withoutSelfDescribed(registered)
  const limits = createOauthLimits(parts.counting)
  const introduce = openIntroduction(parts, { limits, clock: issuer.clock, find: clients.find })
  const guesses = parts.counting === undefined ? noGuessLimit : createGuessLimit(database, parts.secrets[0])
  return {
    selfDescribed: parts.selfDescribed,
    issuer,
    authorize: {
      issuer,
      httpsOnly,
      database,
      clients,
      checkProof: access.checkProof,
      introduce,
      limits,
      audit,
      guesses,
    },
    token: {
      issuer,
      database,
      clients,
      limits,
      checkProof: access.checkProof,
      address: baseUrl + paths.token,
      turns: parts.turns,
      counter: parts.counter,
      audit,
      redeemCode: createRedemption(database),
      rotateRefreshToken: createRotation(database),
      refreshSecret: deriveSecret(parts.secrets[0], 'refresh tokens'),
    },
    revoke: { clients, limits, access, audit, endTokens: createEndTokens(database, access.revocations) },
    introspect: { issuer, clients, limits, access, database },
    userinfo: { baseUrl, limits, access, findSubject: createFindSubject(database) },
  }
}
