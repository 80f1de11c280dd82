// Which database names are valid in GraphQL, and which app prefix they have.
import { scopeDescriptions } from '../base/scope-table.ts'

/** Names with two leading underscores are reserved for introspection. */
export const isGraphqlName = (name: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(name)

const prefixes = [...new Set(scopeDescriptions.flatMap(({ prefix }) => prefix ?? []))]

export const prefixOf = (name: string): string | undefined =>
  prefixes.find(prefix => name.startsWith(prefix) && name.length > prefix.length)

/** What a table without its own scope requires: every read scope of its prefix. */
export const scopesOfPrefix = (name: string): readonly string[] => {
  const own = prefixOf(name)
  return scopeDescriptions.filter(({ access, prefix }) => access === 'read' && prefix === own).map(({ name }) => name)
}

export const withoutPrefix = (name: string): string => name.slice(prefixOf(name)?.length ?? 0)

const writeScopes: ReadonlySet<string> = new Set(
  scopeDescriptions.filter(({ access }) => access === 'write').map(({ name }) => name),
)

export const isWriteScope = (scope: string): boolean => writeScopes.has(scope)

/** `events:read` → `events:write`: what writing a table requires unless its comment says otherwise. */
export const writeTwinOf = (scope: string): string => scope.replace(/:read$/, ':write')
