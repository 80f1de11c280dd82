// The other providers of this installation, and what a sign-in with one of them needs.
import { type Clock, systemClock } from '../../base/clock.ts'
import { deriveSecret } from '../../base/secrets.ts'
import type { ProviderSettings } from '../../config/provider-settings.ts'
import { createDiscover, type Discover } from './discover.ts'
import { createJourneys, type Journeys } from './journey.ts'

export interface Provider {
  readonly settings: ProviderSettings
  readonly discover: Discover
  /** Where it sends people back to. One for each provider, so that none can answer for another (RFC 9700 section 4.4). */
  readonly redirectUri: string
}

export interface Providers {
  readonly list: readonly Provider[]
  find(name: string): Provider | undefined
  readonly journeys: Journeys
  readonly clock: Clock
}

export const callbackPath = (name: string): string => `/sign-in/with/${name}/callback`

export interface ProvidersInput {
  readonly settings: readonly ProviderSettings[]
  readonly baseUrl: string
  readonly secret: string
}

export const createProviders = ({ settings: all, baseUrl, secret }: ProvidersInput): Providers => {
  const clock = systemClock
  const list = all.map(settings => ({
    settings,
    discover: createDiscover(settings, clock),
    redirectUri: `${baseUrl}${callbackPath(settings.name)}`,
  }))
  return {
    list,
    find: name => list.find(({ settings }) => settings.name === name),
    journeys: createJourneys(deriveSecret(secret, 'other providers')),
    clock,
  }
}
