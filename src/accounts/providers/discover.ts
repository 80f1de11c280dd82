// A configured provider → its metadata, asked for when it is first needed and kept for an hour. The library is loaded with it.
import type { Configuration } from 'openid-client'
import type { Clock } from '../../base/clock.ts'
import type { ProviderSettings } from '../../config/provider-settings.ts'
import { boundedFetch, PROVIDER_TIMEOUT_SECONDS } from './bounded-fetch.ts'
import { authenticationFor } from './client-authentication.ts'

type Library = typeof import('openid-client')

export interface ProviderClient {
  readonly library: Library
  readonly configuration: Configuration
}

/** @throws if the provider does not answer, or not as the provider that is configured. */
export type Discover = () => Promise<ProviderClient>

const FRESH_MS = 60 * 60 * 1000
/** For so long a provider that did not answer is not asked again: nobody waits for it twice. */
const PAUSE_MS = 5000

const insecure = ({ issuer }: ProviderSettings): boolean => issuer.startsWith('http:')

const ask = async (settings: ProviderSettings): Promise<ProviderClient> => {
  const library = await import('openid-client')
  const { issuer, clientId } = settings
  // Signatures are checked although the token comes over TLS: a proxy in between must not be able to name a person.
  const execute = [library.enableNonRepudiationChecks, ...(insecure(settings) ? [library.allowInsecureRequests] : [])]
  const configuration = await library.discovery(
    new URL(issuer),
    clientId,
    undefined,
    await authenticationFor(library, settings),
    { execute, timeout: PROVIDER_TIMEOUT_SECONDS, [library.customFetch]: boundedFetch },
  )
  configuration.timeout = PROVIDER_TIMEOUT_SECONDS
  return { library, configuration }
}

export const createDiscover = (settings: ProviderSettings, clock: Clock): Discover => {
  let known: { readonly client: ProviderClient; readonly until: number } | undefined
  let failed: { readonly error: unknown; readonly until: number } | undefined
  let asking: Promise<ProviderClient> | undefined

  const refresh = async (): Promise<ProviderClient> => {
    try {
      const client = await ask(settings)
      known = { client, until: clock.now().getTime() + FRESH_MS }
      failed = undefined
      return client
    } catch (error) {
      failed = { error, until: clock.now().getTime() + PAUSE_MS }
      // What it said an hour ago is better than nothing.
      if (known !== undefined) return known.client
      throw error
    } finally {
      asking = undefined
    }
  }

  return () => {
    const now = clock.now().getTime()
    if (known !== undefined && (known.until > now || (failed !== undefined && failed.until > now)))
      return Promise.resolve(known.client)
    if (failed !== undefined && failed.until > now) return Promise.reject(failed.error)
    asking ??= refresh()
    return asking
  }
}
