// Every scope, once: its name, what it opens, and what each part of the service needs to know about it.
// A new scope starts here; the compiler then reports what is missing, such as its texts in each language.

export interface ScopeDescription {
  readonly name: string
  /** `identity`: about the person who signs in, never about tables. `read` and `write`: of tables. Neither implies the other. */
  readonly access: 'identity' | 'read' | 'write'
  /** Reaches data about people. */
  readonly personal: boolean
  /** The sandbox opens it to everybody, and calendar URLs may contain a key with it. */
  readonly open: boolean
  /** A table with this prefix and no scope of its own requires it. */
  readonly prefix: 'up_' | 'ua_' | 'pc_' | undefined
  /** The tables that developers know it for. */
  readonly tables: string | undefined
  /** A short query that it allows; writing has none, since the console runs it. */
  readonly example: string | undefined
}

const identity = { access: 'identity', open: false, prefix: undefined, tables: undefined, example: undefined } as const
// Never open, and of no prefix: no table is read with them.
const write = { access: 'write', open: false, prefix: undefined, example: undefined } as const

export const scopeDescriptions = [
  { ...identity, name: 'openid', personal: true },
  { ...identity, name: 'profile', personal: true },
  { ...identity, name: 'email', personal: true },
  // Opens nothing by itself: refresh tokens are issued with or without it.
  { ...identity, name: 'offline_access', personal: false },
  {
    name: 'masjid:read',
    access: 'read',
    personal: false,
    open: true,
    prefix: 'up_',
    tables: 'up_masjids, up_masjid_origins, up_entities, up_announcements',
    example: '{ up_masjids(limit: 5) { id name city state address } }',
  },
  {
    name: 'events:read',
    access: 'read',
    personal: false,
    open: true,
    prefix: 'up_',
    tables: 'up_events, up_event_occurrences',
    example: '{ up_events(limit: 5) { id title } }',
  },
  {
    name: 'prayer-times:read',
    access: 'read',
    personal: false,
    open: true,
    prefix: 'pc_',
    tables: 'pc_…',
    example: '{ pc_prayer_times(limit: 5) { date prayer adhan_at iqamah_at } }',
  },
  {
    name: 'donations:read',
    access: 'read',
    personal: true,
    open: false,
    prefix: 'ua_',
    tables: 'ua_campaigns, ua_donations, ua_recurring_donations',
    example: '{ ua_campaigns(limit: 5) { id title } }',
  },
  {
    name: 'members:read',
    access: 'read',
    personal: true,
    open: false,
    prefix: 'ua_',
    tables: 'ua_members, ua_households, ua_capabilities, up_event_rsvps',
    example: '{ ua_members(limit: 5) { id } }',
  },
  { ...write, name: 'masjid:write', personal: false, tables: 'up_masjids, up_entities, up_announcements' },
  {
    ...write,
    name: 'events:write',
    personal: false,
    tables: 'up_events, up_event_occurrences, up_event_rsvps, up_own_rsvps',
  },
  { ...write, name: 'prayer-times:write', personal: false, tables: 'pc_…' },
  { ...write, name: 'donations:write', personal: true, tables: 'ua_campaigns, ua_donations, ua_recurring_donations' },
  { ...write, name: 'members:write', personal: true, tables: 'ua_members, ua_households' },
] as const satisfies readonly ScopeDescription[]

export type Scope = (typeof scopeDescriptions)[number]['name']
