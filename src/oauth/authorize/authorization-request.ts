// An authorization request whose every parameter was checked; what is stored while a person signs in and consents.
import type { Scope } from '../../access/scopes.ts'

export const prompts = ['none', 'login', 'consent', 'select_account'] as const
export type Prompt = (typeof prompts)[number]

export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly state: string
  readonly scopes: readonly Scope[]
  readonly codeChallenge: string
  readonly nonce: string | undefined
  readonly prompts: readonly Prompt[]
  readonly maxAge: number | undefined
  /** Whom `id_token_hint` names. */
  readonly hintedUserId: string | undefined
  readonly loginHint: string | undefined
  readonly uiLocales: string | undefined
}
