// A screen's access token → its claims, if it is valid and not revoked. Its audience is /screen: no other endpoint accepts it.
import { type AccessTokensInput, createAccessTokens, type VerifiedToken } from './access-tokens.ts'
import type { AppReach } from './app-reach.ts'
import { invalidToken } from './faults.ts'
import type { Revocations } from './revocations.ts'

export const screenAudience = (baseUrl: string): string => `${baseUrl}/screen`

/** A screen always has a grant: its masjid's. */
export interface ScreenToken extends VerifiedToken {
  readonly grantId: string
}

export interface ScreenTokens {
  /** @throws {Fault} `invalid_token` if it is malformed, expired or revoked, or the app of screens is stopped. */
  authenticate(bearer: string): Promise<ScreenToken>
  /** Empties the cache: one of our keys may have been removed. */
  forget(): void
}

export interface ScreenTokensInput extends Omit<AccessTokensInput, 'audience'> {
  readonly revocations: Pick<Revocations, 'isRevoked'>
  findApp(clientId: string): Promise<AppReach | undefined>
}

const notConnected = (): Error => invalidToken('This screen is not connected any more.')

export const createScreenTokens = ({ revocations, findApp, ...input }: ScreenTokensInput): ScreenTokens => {
  const tokens = createAccessTokens({ ...input, audience: screenAudience(input.issuer) })
  return {
    authenticate: async bearer => {
      const token = await tokens.verify(bearer)
      const { grantId } = token
      const app = await findApp(token.clientId)
      // Screens are given bearer tokens: a bound one would need a proof here.
      if (grantId === undefined || app === undefined || token.thumbprint !== undefined) throw notConnected()
      if (await revocations.isRevoked({ ...token, appId: app.appId, keyId: undefined })) throw notConnected()
      return { ...token, grantId }
    },
    forget: tokens.forget,
  }
}
