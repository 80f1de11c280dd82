// A click on a provider's button → the address at the provider that the browser goes to.
import { sha256Base64url } from '../../base/secrets.ts'
import type { Language } from '../languages.ts'
import { isAway } from './bounded-fetch.ts'
import type { Journey } from './journey.ts'
import type { Provider, Providers } from './providers.ts'

export interface Departure extends Pick<Journey, 'purpose' | 'request'> {
  readonly provider: Provider
  /** What the browser is known by. */
  readonly binding: string
  readonly language: Language
}

const parametersOf = ({ journeys, clock }: Providers, departure: Departure): Record<string, string> => {
  const { provider, binding, purpose, request, language } = departure
  const { name, scope, responseMode, againPrompt } = provider.settings
  const { journey, state } = journeys.begin(binding, { provider: name, purpose, request }, clock.now())
  return {
    redirect_uri: provider.redirectUri,
    scope,
    state,
    nonce: journeys.nonce(journey),
    code_challenge: sha256Base64url(journeys.verifier(journey)),
    code_challenge_method: 'S256',
    ui_locales: language,
    ...(responseMode === 'query' ? {} : { response_mode: responseMode }),
    // OpenID Connect Core section 3.1.2.1: somebody who confirms that it is them signs in there again.
    ...(purpose === 'again' ? { prompt: againPrompt } : {}),
  }
}

/** A fault if the provider cannot be reached, or is not the one that is configured. */
export const beginJourney = async (
  providers: Providers,
  departure: Departure,
): Promise<{ readonly location: string } | { readonly fault: 'away' | 'refused' }> => {
  try {
    const { library, configuration } = await departure.provider.discover()
    return { location: library.buildAuthorizationUrl(configuration, parametersOf(providers, departure)).href }
  } catch (error) {
    return { fault: isAway(error) ? 'away' : 'refused' }
  }
}
