// A user's bearer token → the claims that the user agreed to share with the app (OpenID Connect Core section 5.3).
import { credentialOf } from '../access/bearer.ts'
import type { Claim } from '../access/claims.ts'
import type { Access } from '../access/create-access.ts'
import type { PresentingRequest } from '../access/dpop/proof.ts'
import { insufficientScope, invalidToken } from '../access/faults.ts'
import { namingMetadata } from '../access/resource-metadata.ts'
import type { User } from '../accounts/users.ts'
import { paths } from './discovery.ts'
import { claimsShown, type FindSubject } from './find-subjects.ts'
import type { OauthLimits } from './limits.ts'

/** The dependencies of userinfo. */
export interface UserinfoParts {
  readonly baseUrl: string
  readonly access: Access
  readonly limits: OauthLimits
  readonly findSubject: FindSubject
}

export interface Userinfo {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly picture?: string
}

type ReadClaim = (user: User, baseUrl: string) => Partial<Userinfo>

const claimReaders: Readonly<Record<Claim, ReadClaim>> = {
  email: ({ email, emailVerified }) => ({ email, email_verified: emailVerified }),
  name: ({ name }) => ({ name }),
  // Users without a picture get one generated from their identifier, so apps can always show one.
  picture: ({ id, picture }, baseUrl) => ({ picture: picture ?? `${baseUrl}${paths.pictures}/${id}.svg` }),
}

const toUserinfo = (user: User, claims: readonly Claim[], baseUrl: string): Userinfo =>
  Object.assign({ sub: user.id }, ...claims.map(claim => claimReaders[claim](user, baseUrl)))

export const readUserinfo = async (parts: UserinfoParts, request: PresentingRequest): Promise<Userinfo> => {
  const grant = await namingMetadata(parts.baseUrl, '', async () => {
    const { text, possession } = credentialOf(request, parts.baseUrl)
    return parts.access.authenticateAnywhere(text, possession)
  })
  if (grant.credential !== 'access_token')
    throw invalidToken('An API key does not represent a user: send an access token.')
  const { userId, grantId } = grant
  if (userId === undefined || grantId === undefined)
    throw insufficientScope('openid', 'This token belongs to an app that acts for itself, not to a user.')
  parts.limits.userinfoPerUser.take(userId)
  const subject = await parts.findSubject({ userId, grantId })
  if (subject === undefined || subject.user.disabled)
    throw invalidToken('The user of this token is no longer available.')
  return toUserinfo(subject.user, claimsShown(subject, grant.scopes), parts.baseUrl)
}
