// The interface of a grant type at the token endpoint: an authenticated client and its form → a token response.
import type { AuditTrail } from '../../audit/audit-trail.ts'
import type { Queryable } from '../../db/database.ts'
import type { AskedResource } from '../authorize/check-resource.ts'
import type { Client } from '../clients/client.ts'
import type { Issuer } from '../issuer.ts'
import type { Parameters } from '../parameters.ts'
import type { TokenResponse } from '../token-response.ts'
import type { RedeemCode } from './redeem-codes.ts'
import type { RotateRefreshToken } from './rotate-refresh-tokens.ts'

/** The dependencies of grant handlers. */
export interface GrantParts {
  readonly issuer: Issuer
  /** To find out why a code or token was refused. */
  readonly database: Queryable
  readonly audit: AuditTrail
  readonly redeemCode: RedeemCode
  readonly rotateRefreshToken: RotateRefreshToken
  /** Derives the successor of a refresh token. */
  readonly refreshSecret: Buffer
}

export interface TokenRequest {
  readonly client: Client
  readonly parameters: Parameters
  readonly resource: AskedResource
  /** The key that was proven (RFC 9449); undefined without a proof. */
  readonly thumbprint: string | undefined
  /** Where the request came from, for the audit log. */
  readonly address: string | undefined
}

export type GrantHandler = (parts: GrantParts, request: TokenRequest) => Promise<TokenResponse>
