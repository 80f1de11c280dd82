// The dependencies of the authorization endpoint and of the pages that follow it.
import type { CheckProof } from '../../access/dpop/check-proof.ts'
import type { AuditTrail } from '../../audit/audit-trail.ts'
import type { Database } from '../../db/database.ts'
import type { ClientDirectory } from '../clients/client-directory.ts'
import type { GuessLimit } from '../device/limit-guesses.ts'
import type { Issuer } from '../issuer.ts'
import type { OauthLimits } from '../limits.ts'
import type { Introduce } from '../self-described/introduce.ts'

export interface AuthorizeParts {
  readonly issuer: Issuer
  /** Production redirects to https only. */
  readonly httpsOnly: boolean
  readonly database: Database
  readonly clients: ClientDirectory
  /** Of a proof that comes with a pushed request. */
  readonly checkProof: CheckProof
  /** Finds an app, and reads the document of one that describes itself. */
  readonly introduce: Introduce
  readonly limits: OauthLimits
  readonly audit: AuditTrail
  readonly guesses: GuessLimit
}
