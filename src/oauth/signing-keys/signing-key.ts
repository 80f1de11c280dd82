// A signing key: its name, state and key pair, and the headers of the tokens it signs.
import type { KeyObject, SignKeyObjectInput } from 'node:crypto'
import type { JWK } from 'jose'

export const signingAlgorithms = ['ES256', 'RS256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** RFC 9068 section 2.1 gives access tokens their own type, so that no other JWT passes for one; logout tokens have theirs. */
export type TokenType = 'at+jwt' | 'JWT' | 'logout+jwt'

export interface SigningKeyInput {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  readonly state: 'next' | 'active' | 'retired'
  readonly publicJwk: JWK
  readonly privateKey: KeyObject
}

export interface SigningKey extends SigningKeyInput {
  /** The key object for `node:crypto`, created once. */
  readonly signer: SignKeyObjectInput
  /** Encoded once, since they are the same for every token. */
  readonly headers: Readonly<Record<TokenType, string>>
}

const encodeHeader = (key: SigningKeyInput, type: TokenType): string =>
  Buffer.from(JSON.stringify({ alg: key.algorithm, kid: key.kid, typ: type })).toString('base64url')

export const makeSigningKey = (input: SigningKeyInput): SigningKey => ({
  ...input,
  signer: { key: input.privateKey, dsaEncoding: 'ieee-p1363' },
  headers: {
    'at+jwt': encodeHeader(input, 'at+jwt'),
    JWT: encodeHeader(input, 'JWT'),
    'logout+jwt': encodeHeader(input, 'logout+jwt'),
  },
})
