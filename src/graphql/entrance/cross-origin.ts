// Which pages may send requests, and what of the response they may read: for the framework's preflights, and for our own responses.

const exposedHeaders = [
  'x-request-id',
  'etag',
  'deprecation',
  'sunset',
  'www-authenticate',
  'dpop-nonce',
  'retry-after',
  'idempotency-replayed',
  'ratelimit-policy',
  'ratelimit',
  'x-minaret-position',
  'server-timing',
]

export const crossOrigin = {
  origin: '*',
  methods: ['GET', 'POST', 'OPTIONS'],
  exposedHeaders,
  maxAge: 86_400,
}

/** Alternating names and values. */
export const crossOriginHeaders: readonly string[] = [
  'access-control-allow-origin',
  crossOrigin.origin,
  'access-control-expose-headers',
  exposedHeaders.join(', '),
]
