// The claims that userinfo can return besides `sub`, and the scopes that request them.
import type { Scope } from './scopes.ts'

/** `email` includes `email_verified`. */
export const allClaims = ['email', 'name', 'picture'] as const
export type Claim = (typeof allClaims)[number]

export const isClaim = (text: string): text is Claim => (allClaims as readonly string[]).includes(text)

/** In the order of the list, without duplicates. */
export const sortClaims = (claims: Iterable<Claim>): Claim[] => {
  const wanted = new Set(claims)
  return allClaims.filter(claim => wanted.has(claim))
}

/** OpenID Connect Core section 5.4. */
const claimsOfScope: Readonly<Partial<Record<Scope, readonly Claim[]>>> = {
  email: ['email'],
  profile: ['name', 'picture'],
}

const claimsOfScopes = (scopes: Iterable<Scope>): Claim[] => [...scopes].flatMap(scope => claimsOfScope[scope] ?? [])

export interface ClaimsQuestion {
  /** The requested scopes, or those a token may use now. */
  readonly scopes: Iterable<Scope>
  /** Whether the authorization is plain OAuth, requested without `openid`. */
  readonly plain: boolean
  /** The claims a reviewer lets the app see without `openid`. */
  readonly plainClaims: readonly Claim[]
}

/** With `openid` the scopes choose the claims. Without it, plain OAuth gets the whole record, except what is withheld. */
export const claimsFor = ({ scopes, plain, plainClaims }: ClaimsQuestion): Claim[] =>
  sortClaims([...claimsOfScopes(scopes), ...(plain ? plainClaims : [])])

export const isPlain = (scopes: readonly Scope[]): boolean => !scopes.includes('openid')

/** Those of `claims` that are also in `allowed`. */
export const withinClaims = (claims: readonly Claim[], allowed: readonly Claim[]): Claim[] =>
  claims.filter(claim => allowed.includes(claim))
