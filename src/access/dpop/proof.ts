// DPoP proofs (RFC 9449): what a request brings to show that it holds the key of its token.

/** Elliptic keys only: phones and browsers have them, and verifying a signature costs about the same for all of them. */
export const proofAlgorithms = ['ES256', 'ES384', 'Ed25519', 'EdDSA'] as const

export interface PresentedProof {
  /** The value of the DPoP header; two headers arrive as one value, which is no JWT. */
  readonly text: string | undefined
  readonly method: string
  /** The address of the request as clients know it, without its query. */
  readonly address: string
}

/** The part of a request that a credential is read from. */
export interface PresentingRequest {
  readonly method?: string | undefined
  /** Path and query. */
  readonly url?: string | undefined
  readonly headers: {
    readonly authorization?: string | undefined
    readonly dpop?: string | readonly string[] | undefined
  }
  /** Who is charged if there is no valid credential. */
  readonly clientAddress?: string | (() => string) | undefined
}

/** Undefined where there is no request of its own to prove anything about, such as on a WebSocket. */
export const proofOf = ({ method, url, headers }: PresentingRequest, baseUrl: string): PresentedProof | undefined => {
  if (method === undefined || url === undefined) return undefined
  const text = typeof headers.dpop === 'string' ? headers.dpop : undefined
  return { text, method, address: baseUrl + (url.split('?', 1)[0] ?? '') }
}
