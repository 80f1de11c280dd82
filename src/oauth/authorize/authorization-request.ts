// A validated authorization request, as it is stored while a person signs in and consents.
import { type Claim, claimsFor, isPlain, withinClaims } from '../../access/claims.ts'
import type { Resource } from '../../access/resources.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Client } from '../clients/client.ts'
import type { Acr } from './authentication-context.ts'
import type { ResponseMode } from './check-response-type.ts'

export const prompts = ['none', 'login', 'consent', 'select_account'] as const
export type Prompt = (typeof prompts)[number]

export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly state: string
  readonly scopes: readonly Scope[]
  /** What the tokens will be for; undefined: the service as a whole. */
  readonly resource?: Resource | undefined
  /** The claims the person is asked to share with the app, besides `sub`. */
  readonly claims: readonly Claim[]
  readonly codeChallenge: string
  /** The key that the code will be bound to (RFC 9449 section 10). */
  readonly dpopJkt?: string | undefined
  readonly nonce: string | undefined
  readonly prompts: readonly Prompt[]
  readonly maxAge: number | undefined
  /** How strongly the person must have signed in: any of these. */
  readonly acrValues: readonly Acr[]
  /** The user that `id_token_hint` names. */
  readonly hintedUserId: string | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
}

/** The claims that a request with these scopes asks for. */
export const claimsAsked = (scopes: readonly Scope[], { plainClaims }: Pick<Client, 'plainClaims'>): readonly Claim[] =>
  claimsFor({ scopes, plain: isPlain(scopes), plainClaims })

/** Without the claims a reviewer has since withdrawn from the app; never adds any. */
export const narrowClaims = (
  request: AuthorizationRequest,
  client: Pick<Client, 'plainClaims'>,
): AuthorizationRequest => ({ ...request, claims: withinClaims(request.claims, claimsAsked(request.scopes, client)) })
