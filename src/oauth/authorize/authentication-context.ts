// How somebody signed in (`amr`, RFC 8176) → how much that proves (`acr`), and what an app asks for.
import type { Parameters } from '../parameters.ts'

/**
 * From weak to strong: a password; a second factor besides; a passkey, which no other site can ask for (`phr` of OpenID's
 * Extended Authentication Profile).
 */
export const acrValues = ['aal1', 'aal2', 'phr'] as const
export type Acr = (typeof acrValues)[number]

/** Undefined if it is not known. */
export const acrOf = (amr: readonly string[]): Acr | undefined => {
  if (amr.length === 0) return undefined
  if (amr.includes('hwk') || amr.includes('swk')) return 'phr'
  return amr.includes('mfa') ? 'aal2' : 'aal1'
}

const isAcr = (word: string): word is Acr => (acrValues as readonly string[]).includes(word)

/** OpenID Connect Core section 3.1.2.1, `acr_values`: in order of preference. Those that we do not know are ignored. */
export const readAcrValues = (parameters: Parameters): readonly Acr[] =>
  (parameters.acr_values ?? '').split(' ').filter(isAcr)

/** Any of the values will do, and a stronger sign-in than asked for does. */
export const reaches = (amr: readonly string[], asked: readonly Acr[]): boolean => {
  const level = acrValues.indexOf(acrOf(amr) ?? 'aal1')
  return asked.length === 0 || asked.some(acr => acrValues.indexOf(acr) <= level)
}
