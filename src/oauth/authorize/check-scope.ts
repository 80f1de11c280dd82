// The scopes asked for → scopes that exist and that the app was granted.
import { isScope, type Scope, sortScopes } from '../../access/scopes.ts'
import type { Client } from '../clients/client.ts'
import { invalidScope } from '../oauth-fault.ts'

/** RFC 6749 section 3.3. The words of a caller are only repeated where they are of that form. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/

const refusal = (word: string, why: string) =>
  invalidScope(SCOPE_TOKEN.test(word) ? `The scope "${word}" ${why}.` : 'The scope is malformed.')

/** `offline_access` opens nothing of its own, so that no app needs to be granted it. */
const isGranted = (scope: Scope, granted: ReadonlySet<Scope>): boolean =>
  granted.has(scope) || scope === 'offline_access'

const checkWord = (word: string, granted: ReadonlySet<Scope>): Scope => {
  if (!isScope(word)) throw refusal(word, 'does not exist')
  if (!isGranted(word, granted)) throw refusal(word, 'was not granted to this app')
  return word
}

/** In a fixed order, each once. */
export const checkScope = (text: string | undefined, granted: ReadonlySet<Scope>): readonly Scope[] => {
  const words = (text ?? '').split(' ').filter(word => word !== '')
  if (words.length === 0) throw invalidScope('The request has no scope.')
  return sortScopes(words.map(word => checkWord(word, granted)))
}

/** Scopes that were taken from the app since are not issued again. */
export const stillGranted = (scopes: readonly Scope[], { scopes: granted }: Pick<Client, 'scopes'>): Scope[] =>
  sortScopes(scopes.filter(scope => isGranted(scope, granted)))

/** For a request that was kept or pushed: a reviewer may have narrowed the app since. */
export const checkStillGranted = (
  request: { readonly scopes: readonly Scope[] },
  client: Pick<Client, 'scopes'>,
): void => {
  checkScope(request.scopes.join(' '), client.scopes)
}
