// What the authorization endpoint, and the pages that follow it, work with.
import type { AuditTrail } from '../../audit/audit-trail.ts'
import type { Queryable } from '../../db/database.ts'
import type { ClientDirectory } from '../clients/client-directory.ts'
import type { Issuer } from '../issuer.ts'
import type { OauthLimits } from '../limits.ts'

export interface AuthorizeParts {
  readonly issuer: Issuer
  /** In production nothing but https is redirected to. */
  readonly httpsOnly: boolean
  readonly database: Queryable
  readonly clients: ClientDirectory
  readonly limits: OauthLimits
  readonly audit: AuditTrail
}
