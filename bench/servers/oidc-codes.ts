// Authorization codes in bulk, created by oidc-provider's own models as its authorization endpoint would.
import type { Provider } from 'oidc-provider'
import { REDIRECT_URI } from './tenants.ts'

export interface MakeCodes {
  readonly count: number
  readonly challenge: string
  /** OpenID Connect with userinfo, or plain OAuth with tokens for an API. */
  readonly openid: boolean
}

interface Wish extends MakeCodes {
  readonly userId: string
  readonly api: string
}

const makeCode = async (provider: Provider, { challenge, openid, userId, api }: Wish): Promise<string> => {
  const client = await provider.Client.find('phone')
  if (client === undefined) throw new Error('The client is missing.')
  const scope = openid ? 'openid profile email offline_access' : 'masjid:read events:read'
  const grant = new provider.Grant({ accountId: userId, clientId: 'phone' })
  if (openid) grant.addOIDCScope(scope)
  else grant.addResourceScope(api, scope)
  const grantId = await grant.save()
  const code = new provider.AuthorizationCode({
    client,
    accountId: userId,
    grantId,
    scope,
    redirectUri: REDIRECT_URI,
    codeChallenge: challenge,
    codeChallengeMethod: 'S256',
    gty: 'authorization_code',
    authTime: Math.floor(Date.now() / 1000),
    ...(openid ? {} : { resource: api }),
  } as unknown as ConstructorParameters<Provider['AuthorizationCode']>[0])
  return code.save()
}

const AT_ONCE = 32

export const makeCodes = async (provider: Provider, wish: Wish): Promise<string[]> => {
  const codes: string[] = []
  while (codes.length < wish.count)
    codes.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, wish.count - codes.length) }, () => makeCode(provider, wish)),
      )),
    )
  return codes
}
