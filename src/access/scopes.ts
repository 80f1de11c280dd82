// The table of all scopes → the lists of scopes that parts of the service need.
import { type Scope, type ScopeDescription, scopeDescriptions } from '../base/scope-table.ts'

export { type Scope, scopeDescriptions }

export const allScopes: readonly Scope[] = scopeDescriptions.map(({ name }) => name)

const scopesWhere = (chosen: (scope: ScopeDescription) => boolean): readonly Scope[] =>
  scopeDescriptions.filter(chosen).map(({ name }) => name)

export const dataScopes = scopesWhere(({ access }) => access !== 'identity')

/** The scopes that reading a table may need. */
export const readingScopes = scopesWhere(({ access }) => access === 'read')

/** The scopes that changing a table may need. */
export const writingScopes = scopesWhere(({ access }) => access === 'write')

export const isWriteScope = (scope: Scope): boolean => writingScopes.includes(scope)

/** `events:write` → `events:read`: what an app that changes a table usually needs too. */
export const readTwinOf = (scope: Scope): Scope | undefined =>
  readingScopes.find(
    read => isWriteScope(scope) && read.slice(0, read.indexOf(':')) === scope.slice(0, scope.indexOf(':')),
  )

/** The scopes that the sandbox gives to everyone. */
export const publicScopes = scopesWhere(({ open }) => open)

/** The scopes that reach people other than the one who signs in. */
export const personalDataScopes = scopesWhere(({ access, personal }) => access !== 'identity' && personal)

export const isScope = (text: string): text is Scope => (allScopes as readonly string[]).includes(text)

/** In the order of the list, without duplicates. */
export const sortScopes = (scopes: Iterable<Scope>): Scope[] => {
  const wanted = new Set(scopes)
  return allScopes.filter(scope => wanted.has(scope))
}

export const scopeKeyOf = (scopes: Iterable<Scope>): string => sortScopes(scopes).join(' ')
