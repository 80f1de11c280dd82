// The questions asked of every GraphQL contender: the same rows, each in its own dialect, with random variables.

import { createHash } from 'node:crypto'
import { cityCount, cityName, type Sizes } from '../data/tables.ts'

export type Variables = Readonly<Record<string, unknown>>

export interface Question {
  readonly name: string
  readonly title: string
  /** The document for Minaret. */
  readonly query: string
  readonly variables: readonly Variables[]
  /** Undefined if only Minaret is asked. */
  readonly postgraphile: string | undefined
  /** Needs PostGraphile's plugin for filters over relationships. */
  readonly filters: boolean
  /** Variable names in the order of the statement's parameters, for the hand-written route. */
  readonly parameters: readonly string[]
  /** SQL as one would write it by hand; without it, the hand-written route sends the statement that Minaret compiles. */
  readonly statement?: string
  /** One SQL expression per parameter, for pgbench; undefined if pgbench is not asked. */
  readonly pgbench: readonly string[] | undefined
  /** Under row-level security. */
  readonly secured: boolean
}

/** Every masjid of the full dataset. */
const POOL = 5000

export const rowId = (text: string): string =>
  createHash('md5')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const masjidId = (number: number): string => rowId(`masjid${number}`)
export const eventId = (masjid: number, number: number): string => rowId(`event${masjid}.${number}`)

const pool = (count: number, make: (index: number) => Variables): readonly Variables[] =>
  Array.from({ length: Math.min(POOL, count) }, (_, index) => make(index))

export const cities = (sizes: Sizes): readonly Variables[] =>
  pool(cityCount(sizes), index => ({ city: cityName(index) }))

export const masjids = (sizes: Sizes): readonly Variables[] =>
  pool(sizes.masjids, index => ({ id: masjidId(1 + ((index * 7) % sizes.masjids)) }))

const randomCity = (sizes: Sizes): string => `'Madinat ' || floor(random() * ${cityCount(sizes)})::int`
const randomMasjid = (sizes: Sizes): string => `md5('masjid' || 1 + floor(random() * ${sizes.masjids})::int)::uuid`

const plain = { filters: false, secured: false, pgbench: undefined, postgraphile: undefined }

export const LIST_QUERY = `query List($city: String!) {
  up_masjids(where: {city: {_eq: $city}}, order_by: {name: asc}, limit: 25) {
    id name city state address
    events(order_by: {starts_local: asc}, limit: 3) { id title starts_local }
  }
}`

const list = (sizes: Sizes): Question => ({
  ...plain,
  name: 'graphql.list',
  title: 'List: 25 masjids with 3 events each',
  query: LIST_QUERY,
  variables: cities(sizes),
  parameters: ['city'],
  pgbench: [randomCity(sizes)],
  postgraphile: `query List($city: String!) {
    allUpMasjids(condition: {city: $city}, orderBy: [NAME_ASC], first: 25) { nodes {
      rowId name city state address
      upEventsByMasjidId(orderBy: [STARTS_LOCAL_ASC], first: 3) { nodes { rowId title startsLocal } }
    } }
  }`,
})

export const byKey = (sizes: Sizes): Question => ({
  ...plain,
  name: 'graphql.by-key',
  title: 'One masjid by key',
  query: 'query ByKey($id: uuid!) { up_masjids_by_pk(id: $id) { id name city state address } }',
  variables: masjids(sizes),
  parameters: ['id'],
  pgbench: [randomMasjid(sizes)],
  postgraphile: 'query ByKey($id: UUID!) { upMasjidByRowId(rowId: $id) { rowId name city state address } }',
})

const overRelationship = (sizes: Sizes): Question => ({
  ...plain,
  name: 'graphql.filter',
  title: 'Filter over a relationship: the next 25 events of a city',
  query: `query Filter($city: String!) {
    up_events(where: {masjid: {city: {_eq: $city}}}, order_by: {starts_local: asc}, limit: 25) {
      id title starts_local masjid { name }
    }
  }`,
  variables: cities(sizes),
  parameters: ['city'],
  filters: true,
  pgbench: [randomCity(sizes)],
  postgraphile: `query Filter($city: String!) {
    allUpEvents(filter: {upMasjidByMasjidId: {city: {equalTo: $city}}}, orderBy: [STARTS_LOCAL_ASC], first: 25) { nodes {
      rowId title startsLocal upMasjidByMasjidId { name }
    } }
  }`,
})

const aggregate = (sizes: Sizes): Question => ({
  ...plain,
  name: 'graphql.aggregate',
  title: 'Aggregate: how many events a masjid has',
  query: 'query Count($id: uuid!) { up_events_aggregate(where: {masjid_id: {_eq: $id}}) { aggregate { count } } }',
  variables: masjids(sizes),
  parameters: ['id'],
  pgbench: [randomMasjid(sizes)],
  postgraphile: 'query Count($id: UUID!) { allUpEvents(condition: {masjidId: $id}) { totalCount } }',
})

const secured = (sizes: Sizes): Question => ({
  ...plain,
  name: 'graphql.secured',
  title: 'Members of a masjid, under row-level security',
  query: membersQuery('ua_members'),
  variables: membersOf(sizes),
  parameters: ['id', 'shared'],
  secured: true,
  // Without the filter on the column: it has no index, so PostGraphile offers none. The policy leaves the same rows.
  postgraphile: `query Members($id: UUID!) {
    allUaMembers(condition: {masjidId: $id}, orderBy: [JOINED_ON_ASC], first: 25) { nodes {
      rowId givenName familyName role status joinedOn
    } }
  }`,
})

export const membersOf = (sizes: Sizes): readonly Variables[] => masjids(sizes).map(({ id }) => ({ id, shared: true }))

/** Members who agreed to sharing, with and without policies: the same rows, so the difference is the policy's cost. */
export const membersQuery = (
  table: 'ua_members' | 'ua_open_members',
): string => `query Members($id: uuid!, $shared: Boolean!) {
  ${table}(where: {masjid_id: {_eq: $id}, consent_api_sharing: {_eq: $shared}}, order_by: {joined_on: asc}, limit: 25) {
    id given_name family_name role status joined_on
  }
}`

export const questions = (sizes: Sizes): readonly Question[] =>
  [list, byKey, overRelationship, aggregate, secured].map(make => make(sizes))
