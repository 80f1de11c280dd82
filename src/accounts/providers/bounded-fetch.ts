// Requests to another provider: few bytes, little time, no redirect. The operator chose the provider, so it may be on any network.
import type { CustomFetch } from 'openid-client'

/** Of the longest documents that providers have, a set of keys with certificates. */
const MOST_BYTES = 512 * 1024
export const PROVIDER_TIMEOUT_SECONDS = 5

/** The provider did not answer as it should, and another try may succeed. */
class ProviderAway extends Error {}

const readBounded = async (response: Response): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > MOST_BYTES) throw new ProviderAway(`more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces))
}

const away = (error: unknown): ProviderAway =>
  error instanceof ProviderAway ? error : new ProviderAway('no answer', { cause: error })

/** A body may be sent with these statuses only (Fetch, "null body status"). */
const hasBody = (status: number): boolean => ![101, 204, 205, 304].includes(status)

export const boundedFetch: CustomFetch = async (url, options) => {
  try {
    const response = await fetch(url, { ...options, redirect: 'manual' } as RequestInit)
    const bytes = await readBounded(response)
    const { status, headers } = response
    if (status >= 500) throw new ProviderAway(`status ${status}`)
    return new Response(hasBody(status) ? bytes : null, { status, headers })
  } catch (error) {
    throw away(error)
  }
}

/** The library wraps what the connection threw. */
export const isAway = (error: unknown): boolean =>
  error instanceof ProviderAway || (error instanceof Error && error.cause !== undefined && isAway(error.cause))
