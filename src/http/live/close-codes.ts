// The codes with which a WebSocket is closed: those of graphql-transport-ws, and RFC 6455's.

export const closeCodes = {
  normal: 1000,
  /** Clients connect again: RFC 6455's registry, "Service Restart". */
  restart: 1012,
  /** "Try Again Later". */
  tryAgainLater: 1013,
  internalError: 4500,
  badMessage: 4400,
  /** Something was asked before the connection was acknowledged. */
  unauthorized: 4401,
  /** The credential is missing, invalid or no longer valid. */
  forbidden: 4403,
  initTimeout: 4408,
  subscriberExists: 4409,
  tooManyInits: 4429,
} as const

/** A reason has at most 123 bytes. */
const LONGEST_REASON = 120

export const reasonOf = (words: string): string => {
  const ascii = words.replaceAll(/[^\x20-\x7e]/g, '?')
  return ascii.length > LONGEST_REASON ? `${ascii.slice(0, LONGEST_REASON)}...`.slice(0, 123) : ascii
}
