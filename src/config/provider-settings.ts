// Another OpenID provider, as it is configured: where it is, who we are there, and how its answers differ from the usual.

export type ProviderAuthentication =
  /** A public client. */
  | { readonly kind: 'none' }
  | { readonly kind: 'secret'; readonly secret: string }
  /** Apple's client secret is a short-lived JWT, signed with a key of the developer's team. */
  | { readonly kind: 'apple'; readonly teamId: string; readonly keyId: string; readonly privateKey: string }

export interface ProviderSettings {
  /** In our addresses. */
  readonly name: string
  /** On buttons. */
  readonly label: string
  readonly issuer: string
  readonly clientId: string
  readonly authentication: ProviderAuthentication
  readonly scope: string
  readonly responseMode: 'query' | 'form_post'
  /** How it is asked to have somebody sign in again. */
  readonly againPrompt: 'login' | 'select_account'
  /** Claims, any of which says that the provider has checked the email address. */
  readonly verifiedBy: readonly string[]
}
