// The requested scopes → scopes that exist and that the app was granted.
import { isScope, type Scope, sortScopes } from '../../access/scopes.ts'
import type { Client } from '../clients/client.ts'
import { invalidScope } from '../oauth-fault.ts'

/** RFC 6749 section 3.3. Error messages echo a scope only if it has this form. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

const refusal = (word: string, why: string) =>
  invalidScope(SCOPE_TOKEN.test(word) ? `The scope "${word}" ${why}.` : 'The scope is malformed.')

/** `offline_access` gives access to no data, so apps need no grant for it. */
const isGranted = (scope: Scope, granted: ReadonlySet<Scope>): boolean =>
  granted.has(scope) || scope === 'offline_access'

const checkWord = (word: string, granted: ReadonlySet<Scope>): Scope => {
  if (!isScope(word)) throw refusal(word, 'does not exist')
  if (!isGranted(word, granted)) throw refusal(word, 'was not granted to this app')
  return word
}

/** In a fixed order, without duplicates. */
export const checkScope = (text: string | undefined, granted: ReadonlySet<Scope>): readonly Scope[] => {
  const words = (text ?? '').split(' ').filter(word => word !== '')
  if (words.length === 0) throw invalidScope('The request has no scope.')
  return sortScopes(words.map(word => checkWord(word, granted)))
}

/** Scopes withdrawn from the app since then are not issued again. */
export const stillGranted = (scopes: readonly Scope[], { scopes: granted }: Pick<Client, 'scopes'>): Scope[] =>
  sortScopes(scopes.filter(scope => isGranted(scope, granted)))

/** For a stored or pushed request: a reviewer may have withdrawn scopes since. */
export const checkStillGranted = (
  request: { readonly scopes: readonly Scope[] },
  client: Pick<Client, 'scopes'>,
): void => {
  checkScope(request.scopes.join(' '), client.scopes)
}
