// How often each endpoint may be called, by address, client and account.
import { Fault } from '../base/fault.ts'
import { networkOf } from '../base/ip-address.ts'
import { type Counting, createLimits, type Limit, type LimitRule } from '../base/limit.ts'

/**
 * Generous, so that an honest app never reaches them. Per address, only refusals count: others behind a shared address
 * cannot lock an app out.
 */
const rules = {
  authorizePerAddress: { tries: 600, seconds: 60 },
  refusalsPerAddress: { tries: 100, seconds: 600 },
  tokensPerClient: { tries: 60_000, seconds: 60 },
  pushesPerClient: { tries: 6000, seconds: 60 },
  devicesPerAddress: { tries: 120, seconds: 600 },
  // Documents of apps that describe themselves, as they are fetched.
  metadataPerHost: { tries: 30, seconds: 60 },
  metadataPerAddress: { tries: 30, seconds: 600 },
  userinfoPerUser: { tries: 6000, seconds: 60 },
} as const satisfies Record<string, LimitRule>

export type OauthLimits = Readonly<Record<keyof typeof rules, Limit>>

export const createOauthLimits = (counting: Counting | undefined): OauthLimits => createLimits(rules, counting)

/** Neither an outage, nor a burst of good requests, nor a device that waits may lock anybody out. */
const harmless = new Set<string>(['too-many-waiting', 'authorization_pending'])

/** Counts each refusal against the address; after too many, the response is `too_many_requests` instead. */
export const countingRefusals = async <T>(
  { refusalsPerAddress }: OauthLimits,
  address: string | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Fault && error.status < 500 && !harmless.has(error.code))
      refusalsPerAddress.take(networkOf(address))
    throw error
  }
}
