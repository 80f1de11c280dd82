// A bearer token of a user → what its scopes say about that user (OpenID Connect Core section 5.3).
import { bearerOf } from '../access/bearer.ts'
import { insufficientScope, invalidToken } from '../access/faults.ts'
import type { Grant } from '../access/grant.ts'
import { namingMetadata } from '../access/resource-metadata.ts'
import type { User } from '../accounts/users.ts'
import { paths } from './discovery.ts'
import type { Provider } from './provider.ts'

export interface Userinfo {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly picture?: string
}

const emailClaims = ({ email, emailVerified }: User): Partial<Userinfo> => ({ email, email_verified: emailVerified })

/** Whoever has chosen no picture has the one that is drawn from the identifier: apps can always show one. */
const profileClaims = ({ id, name, picture }: User, baseUrl: string): Partial<Userinfo> => ({
  name,
  picture: picture ?? `${baseUrl}${paths.pictures}/${id}.svg`,
})

/** With `openid` the scopes choose the claims; without it, plain OAuth has the whole record. */
const claimsFor = (user: User, { scopes }: Grant, baseUrl: string): Userinfo => {
  const whole = !scopes.has('openid')
  return {
    sub: user.id,
    ...(whole || scopes.has('email') ? emailClaims(user) : {}),
    ...(whole || scopes.has('profile') ? profileClaims(user, baseUrl) : {}),
  }
}

export const readUserinfo = async (provider: Provider, authorization: string | undefined): Promise<Userinfo> => {
  const grant = await namingMetadata(provider.baseUrl, '', async () =>
    provider.access.authenticate(bearerOf(authorization)),
  )
  if (grant.credential !== 'access_token') throw invalidToken('An API key is not about a user: send an access token.')
  if (grant.userId === undefined) throw insufficientScope('openid', 'This token is of an app that acts for itself.')
  provider.limits.userinfoPerUser.take(grant.userId)
  const user = await provider.findUser(grant.userId)
  if (user === undefined || user.disabled) throw invalidToken('The user of this token is no longer here.')
  return claimsFor(user, grant, provider.baseUrl)
}
