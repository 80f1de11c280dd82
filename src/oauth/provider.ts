// What every step of the authorization server may use, made once at start.

import type { Access } from '../access/create-access.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Counting } from '../base/limit.ts'
import type { Logger } from '../base/log.ts'
import { deriveSecret } from '../base/secrets.ts'
import type { Database } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'
import { type ClientDirectory, createClientDirectory } from './clients/client-directory.ts'
import { createEndTokens, type EndTokens } from './end-tokens.ts'
import { createFindSubject, type FindSubject } from './find-subjects.ts'
import { createRedemption, type RedeemCode } from './grants/redeem-codes.ts'
import { createRotation, type RotateRefreshToken } from './grants/rotate-refresh-tokens.ts'
import { createOauthLimits, type OauthLimits } from './limits.ts'
import { type LiveKeyRing, openLiveKeyRing } from './signing-keys/live-key-ring.ts'
import { SIGNING_KEYS_PURPOSE } from './signing-keys/seal.ts'

export interface Provider {
  /** The issuer, the audience, and where every endpoint is. */
  readonly baseUrl: string
  /** In production nothing but https is redirected to. */
  readonly httpsOnly: boolean
  readonly database: Database
  readonly access: Access
  readonly clock: Clock
  readonly clients: ClientDirectory
  readonly keys: LiveKeyRing
  readonly audit: AuditTrail
  readonly limits: OauthLimits
  /** From a refresh token to its successor. */
  readonly refreshSecret: Buffer
  readonly redeemCode: RedeemCode
  readonly rotateRefreshToken: RotateRefreshToken
  readonly endTokens: EndTokens
  readonly findSubject: FindSubject
}

export interface ProviderParts {
  readonly baseUrl: string
  readonly httpsOnly: boolean
  readonly database: Database
  readonly listener: Listener
  readonly access: Access
  readonly audit: AuditTrail
  readonly log: Logger
  /** Undefined where limits are switched off. */
  readonly counting: Counting | undefined
  /** The secret of the installation. */
  readonly secret: string
}

export const createProvider = async (parts: ProviderParts): Promise<Provider> => {
  const { baseUrl, httpsOnly, database, listener, access, audit, log } = parts
  const clock = systemClock
  const sealing = deriveSecret(parts.secret, SIGNING_KEYS_PURPOSE)
  return {
    baseUrl,
    httpsOnly,
    database,
    access,
    clock,
    audit,
    limits: createOauthLimits(parts.counting),
    clients: await createClientDirectory(database, listener, access.lastUsed),
    keys: await openLiveKeyRing({ database, listener, clock, log, secret: sealing }),
    refreshSecret: deriveSecret(parts.secret, 'refresh tokens'),
    redeemCode: createRedemption(database),
    rotateRefreshToken: createRotation(database),
    endTokens: createEndTokens(database),
    findSubject: createFindSubject(database),
  }
}
