// Which names of the database can stand in GraphQL, and which app prefix they carry.

/** Names with two leading underscores belong to introspection. */
export const isGraphqlName = (name: string): boolean => /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/.test(name)

/** The scopes of each app prefix: what a table without a scope of its own asks for. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  up_: ['masjid:read', 'events:read'],
  ua_: ['donations:read', 'members:read'],
  pc_: ['prayer-times:read'],
}

export const prefixOf = (name: string): string | undefined =>
  Object.keys(prefixes).find(prefix => name.startsWith(prefix) && name.length > prefix.length)

export const scopesOfPrefix = (name: string): readonly string[] => prefixes[prefixOf(name) ?? ''] ?? []

export const withoutPrefix = (name: string): string => name.slice(prefixOf(name)?.length ?? 0)
