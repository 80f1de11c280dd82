// What a person reads before they allow an app, word for word: kept with the consent.
import type { Claim } from '../../access/claims.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Client } from '../clients/client.ts'

export interface ShownConsent {
  readonly language: string
  /** A digest of the words, without those of the app: the same words have the same version. */
  readonly version: string
  /** By their place on the page. */
  readonly shown: Readonly<Record<string, unknown>>
}

/** The page says what it shows; it knows the person's language. */
export type DescribeConsent = (
  client: Client,
  asked: { readonly scopes: readonly Scope[]; readonly claims: readonly Claim[] },
) => ShownConsent
