// The stage that only the sandbox has: a cached response is sent again.
import type { Grant } from '../../access/grant.ts'
import type { HttpResponse } from './http-response.ts'
import type { IncomingRequest } from './transport.ts'

/** Functions such as pc_prayer_times_today follow the clock, so no response is cached longer than this. */
export const RESPONSE_AGE_SECONDS = 60

export interface ResponseCache {
  /** Undefined for a request whose response is not cached. */
  keyOf(request: IncomingRequest, grant: Grant): string | undefined
  get(key: string): HttpResponse | undefined
  set(key: string, response: HttpResponse): void
}
