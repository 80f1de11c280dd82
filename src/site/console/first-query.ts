// The scopes of an app → a short query that they open.
import type { Scope } from '../../access/scopes.ts'

const queries: readonly (readonly [Scope, string])[] = [
  ['masjid:read', '{ up_masjids(limit: 5) { id name city state address } }'],
  ['prayer-times:read', '{ pc_prayer_times(limit: 5) { date prayer adhan_at iqamah_at } }'],
  ['events:read', '{ up_events(limit: 5) { id title } }'],
  ['donations:read', '{ ua_campaigns(limit: 5) { id title } }'],
  ['members:read', '{ ua_members(limit: 5) { id } }'],
]

/** An app with none of them can still ask what it may read. */
export const firstQueryFor = (scopes: readonly Scope[]): string =>
  queries.find(([scope]) => scopes.includes(scope))?.[1] ?? '{ __typename }'
