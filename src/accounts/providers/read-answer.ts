// A browser that comes back from another provider → who the provider says it is, after every check that OpenID Connect asks for.
import type { Queryable } from '../../db/database.ts'
import { useChallenge } from '../passkeys/challenges.ts'
import { isAway } from './bounded-fetch.ts'
import type { ProviderClient } from './discover.ts'
import { type Identity, toIdentity } from './identity.ts'
import type { Journey } from './journey.ts'
import type { Provider, Providers } from './providers.ts'

/** What a provider may send back (RFC 6749 section 4.1.2, RFC 9207). Apple adds the name, once. */
export const answerParameters = ['code', 'state', 'iss', 'error', 'error_description', 'user'] as const

export interface ProviderAnswer {
  readonly provider: Provider
  readonly binding: string
  readonly parameters: Readonly<Partial<Record<(typeof answerParameters)[number], string>>>
}

export type ReadAnswer =
  /** Not begun in this browser, at this provider, or lately; or answered before. */
  | { readonly kind: 'unknown' }
  /** The person said no, or the provider did; it is away; or what it says does not hold. */
  | { readonly kind: 'denied' | 'away' | 'refused'; readonly journey: Journey; readonly detail?: unknown }
  | { readonly kind: 'identity'; readonly journey: Journey; readonly identity: Identity }

type Claims = Readonly<Record<string, unknown>>

/** OpenID Connect Core section 5.4: with a code, a provider may keep the claims for userinfo. */
const withUserinfo = async (
  { library, configuration }: ProviderClient,
  claims: Claims & { readonly sub: string },
  accessToken: string,
): Promise<Claims> => {
  if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const userinfo = await library.fetchUserInfo(configuration, accessToken, claims.sub)
  return { ...userinfo, ...claims }
}

/** Unsigned, and so nothing but a proposal for a new account. */
const appleName = (user: string | undefined): Claims => {
  try {
    const { name } = JSON.parse(user ?? '{}') as { name?: { firstName?: unknown; lastName?: unknown } }
    return { given_name: name?.firstName, family_name: name?.lastName }
  } catch {
    return {}
  }
}

const exchange = async (providers: Providers, answer: ProviderAnswer, journey: Journey): Promise<Identity> => {
  const { provider, parameters } = answer
  const client = await provider.discover()
  const { user, ...rest } = parameters
  const url = new URL(provider.redirectUri)
  url.search = new URLSearchParams(rest as Record<string, string>).toString()
  const tokens = await client.library.authorizationCodeGrant(client.configuration, url, {
    expectedState: parameters.state ?? '',
    expectedNonce: providers.journeys.nonce(journey),
    pkceCodeVerifier: providers.journeys.verifier(journey),
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider sent no ID token')
  const full = await withUserinfo(client, claims, tokens.access_token)
  return toIdentity(provider.settings, { ...appleName(user), ...full })
}

/** The state is used up whatever comes of it: an answer that fails is not tried again. */
export const readAnswer = async (
  providers: Providers,
  database: Queryable,
  answer: ProviderAnswer,
): Promise<ReadAnswer> => {
  const { provider, binding, parameters } = answer
  const state = parameters.state ?? ''
  const journey = providers.journeys.resume(binding, state, providers.clock.now())
  if (journey?.provider !== provider.settings.name || !(await useChallenge(database, state))) return { kind: 'unknown' }
  if (parameters.error !== undefined)
    return { kind: parameters.error === 'access_denied' ? 'denied' : 'refused', journey, detail: parameters.error }
  try {
    return { kind: 'identity', journey, identity: await exchange(providers, answer, journey) }
  } catch (error) {
    return { kind: isAway(error) ? 'away' : 'refused', journey, detail: error }
  }
}
