// What userinfo can show of a person beside `sub`, and which scopes ask for it.
import type { Scope } from './scopes.ts'

/** `email` stands for `email_verified` too. */
export const allClaims = ['email', 'name', 'picture'] as const
export type Claim = (typeof allClaims)[number]

export const isClaim = (text: string): text is Claim => (allClaims as readonly string[]).includes(text)

/** In the order of the list, each once. */
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
  /** What is asked for, or what a token may use now. */
  readonly scopes: Iterable<Scope>
  /** Whether the authorization is plain OAuth: its request had no `openid`. */
  readonly plain: boolean
  /** What the app's reviewer lets it see without `openid`. */
  readonly plainClaims: readonly Claim[]
}

/** With `openid` the scopes choose the claims. Without it, plain OAuth has the whole record, less what is withheld. */
export const claimsFor = ({ scopes, plain, plainClaims }: ClaimsQuestion): Claim[] =>
  sortClaims([...claimsOfScopes(scopes), ...(plain ? plainClaims : [])])

export const isPlain = (scopes: readonly Scope[]): boolean => !scopes.includes('openid')

/** Those of `claims` that are in `allowed` as well. */
export const withinClaims = (claims: readonly Claim[], allowed: readonly Claim[]): Claim[] =>
  claims.filter(claim => allowed.includes(claim))
