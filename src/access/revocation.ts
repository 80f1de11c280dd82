// The payload of a notification → one revocation.

export type RevocationKind = 'token' | 'grant' | 'app' | 'user' | 'key'

export interface Revocation {
  readonly kind: RevocationKind
  readonly subject: string
  /** Seconds since 1970, with fractions. */
  readonly revokedAt: number
  readonly expiresAt: number
}

const isRevocation = (value: unknown): value is Revocation =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  'subject' in value &&
  typeof value.subject === 'string' &&
  'revokedAt' in value &&
  typeof value.revokedAt === 'number' &&
  'expiresAt' in value &&
  typeof value.expiresAt === 'number'

/** Undefined if it cannot be parsed; the whole table is read again then. */
export const parseRevocation = (payload: string): Revocation | undefined => {
  try {
    const value: unknown = JSON.parse(payload)
    return isRevocation(value) ? value : undefined
  } catch {
    return undefined
  }
}
