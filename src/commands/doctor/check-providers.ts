// Other OpenID providers: whether each can be reached, and is the one that is configured. Client id and secret show at a sign-in only.

import { isAway } from '../../accounts/providers/bounded-fetch.ts'
import { createDiscover } from '../../accounts/providers/discover.ts'
import { systemClock } from '../../base/clock.ts'
import type { Config } from '../../config/config.ts'
import type { ProviderSettings } from '../../config/provider-settings.ts'
import { type Finding, fault, ok, warning } from './finding.ts'

const missing = (metadata: Readonly<Record<string, unknown>>): string | undefined =>
  ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].find(name => metadata[name] === undefined)

const look = async (settings: ProviderSettings): Promise<Finding> => {
  const { name, label, issuer } = settings
  try {
    const { configuration } = await createDiscover(settings, systemClock)()
    const absent = missing(configuration.serverMetadata())
    return absent === undefined
      ? ok('providers', `${label} (${name}) answers at ${issuer}.`)
      : fault('providers', `${issuer} names no ${absent}.`, `Check the issuer of ${name} in PROVIDERS.`)
  } catch (error) {
    const reason = (error as Error).message
    return isAway(error)
      ? warning(
          'providers',
          `${issuer} cannot be reached: ${reason}.`,
          'Check the issuer in PROVIDERS, DNS and firewalls. People sign in with their passwords meanwhile.',
        )
      : fault(
          'providers',
          `${issuer} is not the provider that is configured: ${reason}.`,
          `Check the issuer of ${name} in PROVIDERS: it is compared character by character.`,
        )
  }
}

export const checkProviders = ({ providers }: Config): Promise<Finding[]> => Promise.all(providers.map(look))
