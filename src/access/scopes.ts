// Every scope, what it opens and whether it reaches people; the one list that all parts read.

export interface ScopeDescription {
  readonly name: string
  /** One of the four of OpenID Connect: about the person who signs in, never about tables. */
  readonly identity: boolean
  /** Reaches data about people. */
  readonly personal: boolean
  /** What it opens, for developers. */
  readonly opens: string
}

export const scopeDescriptions = [
  { name: 'openid', identity: true, personal: true, opens: 'who the user is: an ID token and the user identifier' },
  { name: 'profile', identity: true, personal: true, opens: 'the name and picture of the user' },
  { name: 'email', identity: true, personal: true, opens: 'the e-mail address of the user' },
  {
    name: 'offline_access',
    identity: true,
    personal: false,
    opens: 'nothing of its own: refresh tokens are issued with or without it',
  },
  { name: 'masjid:read', identity: false, personal: false, opens: 'up_masjids, up_entities' },
  { name: 'events:read', identity: false, personal: false, opens: 'up_events, up_event_occurrences, RSVP counts' },
  { name: 'prayer-times:read', identity: false, personal: false, opens: 'every pc_ table' },
  {
    name: 'donations:read',
    identity: false,
    personal: true,
    opens: 'ua_campaigns, ua_donations, ua_recurring_donations',
  },
  {
    name: 'members:read',
    identity: false,
    personal: true,
    opens: 'ua_members, ua_households; with events:read also up_event_rsvps',
  },
] as const satisfies readonly ScopeDescription[]

export type Scope = (typeof scopeDescriptions)[number]['name']

export const allScopes: readonly Scope[] = scopeDescriptions.map(({ name }) => name)

export const dataScopes: readonly Scope[] = scopeDescriptions
  .filter(({ identity }) => !identity)
  .map(({ name }) => name)

/** What the sandbox opens to everybody. */
export const publicScopes: readonly Scope[] = ['masjid:read', 'events:read', 'prayer-times:read']

export const isScope = (text: string): text is Scope => (allScopes as readonly string[]).includes(text)

/** In the order of the list, each once. */
export const sortScopes = (scopes: Iterable<Scope>): Scope[] => {
  const wanted = new Set(scopes)
  return allScopes.filter(scope => wanted.has(scope))
}

export const scopeKeyOf = (scopes: Iterable<Scope>): string => sortScopes(scopes).join(' ')
