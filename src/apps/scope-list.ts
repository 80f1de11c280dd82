// Scopes separated by spaces → known scopes without duplicates.
import { allScopes, isScope, type Scope, sortScopes } from '../access/scopes.ts'
import { scopeRefused } from './faults.ts'

/** @throws {Fault} `invalid_scope` that names the unknown one. */
export const readScopes = (text: string): Scope[] => {
  const words = text.split(/\s+/).filter(word => word !== '')
  const unknown = words.find(word => !isScope(word))
  if (unknown !== undefined) throw scopeRefused(`There is no scope "${unknown}". Known are: ${allScopes.join(', ')}.`)
  if (words.length === 0) throw scopeRefused(`Name at least one scope: ${allScopes.join(', ')}.`)
  return sortScopes(words.filter(isScope))
}
