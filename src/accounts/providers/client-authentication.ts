// How we show a provider who we are: by a secret, by Apple's signed one, or not at all.
import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import type { ClientAuth } from 'openid-client'
import { epochSeconds, systemClock } from '../../base/clock.ts'
import type { ProviderSettings } from '../../config/provider-settings.ts'

type Library = typeof import('openid-client')

/** Longer than the metadata that it is kept with. Apple allows half a year. */
const APPLE_SECRET_SECONDS = 24 * 60 * 60

/** @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
const appleSecret = ({ clientId, issuer, authentication }: ProviderSettings): Promise<string> => {
  if (authentication.kind !== 'apple') throw new Error('not a client of Apple')
  const { teamId, keyId, privateKey } = authentication
  const now = epochSeconds(systemClock.now())
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + APPLE_SECRET_SECONDS)
    .sign(createPrivateKey(privateKey))
}

/** OpenID Connect Discovery section 3: without a list, HTTP Basic is what a provider takes. */
const withSecret =
  ({ ClientSecretBasic, ClientSecretPost }: Library, secret: string): ClientAuth =>
  (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported
    const method =
      methods === undefined || methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost
    method(secret)(server, client, body, headers)
  }

export const authenticationFor = async (library: Library, settings: ProviderSettings): Promise<ClientAuth> => {
  const { authentication } = settings
  if (authentication.kind === 'none') return library.None()
  if (authentication.kind === 'secret') return withSecret(library, authentication.secret)
  return library.ClientSecretPost(await appleSecret(settings))
}
