// The step that the sandbox has and the live endpoint has not: a response that was given before is given again.
import type { Grant } from '../../access/grant.ts'
import type { HttpResponse } from './http-response.ts'
import type { IncomingRequest } from './transport.ts'

/** Functions such as pc_prayer_times_today follow the clock, so no response is kept for longer than this. */
export const RESPONSE_AGE_SECONDS = 60

export interface ResponseCache {
  /** Undefined for a request whose response is not kept. */
  keyOf(request: IncomingRequest, grant: Grant): string | undefined
  get(key: string): HttpResponse | undefined
  set(key: string, response: HttpResponse): void
}
