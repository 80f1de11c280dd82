// What the soak sends: reads from memory and from the database, with and without people in them, writes, and tokens.
import type { Bench } from '../../bench-frame.ts'
import { cities, eventId, LIST_QUERY, masjids, membersOf, membersQuery, type Variables } from '../questions.ts'
import type { Sent } from './traffic.ts'

/** Of a hundred requests. */
const shares = { remembered: 35, read: 25, people: 20, written: 5, tokens: 15 } as const
type Kind = keyof typeof shares

const graphql = (key: string, query: string, variables: Variables): Sent => ({
  path: '/v1/graphql',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ query, variables }),
})

const COUNT = 'query Count($id: uuid!) { up_events_aggregate(where: {masjid_id: {_eq: $id}}) { aggregate { count } } }'
const WRITE = `mutation Write($id: uuid!, $capacity: Int!) {
  update_up_events_by_pk(pk_columns: {id: $id}, _set: {capacity: $capacity}) { id capacity }
}`
/** Of the masjid whose own app writes. */
const WRITTEN_EVENTS = 10
/** Few enough to be answered from memory. */
const REMEMBERED = 20

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length] as T

const makers = ({ sizes, tenants }: Bench): Readonly<Record<Kind, (number: number) => Sent>> => {
  const { key, writer, confidential } = tenants
  const lists = cities(sizes).slice(0, REMEMBERED)
  const [all, people] = [masjids(sizes), membersOf(sizes)]
  const basic = Buffer.from(`${confidential.clientId}:${confidential.secret}`).toString('base64')
  const token: Sent = {
    path: '/api/oauth/token',
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=masjid%3Aread',
  }
  return {
    remembered: number => graphql(key, LIST_QUERY, pick(lists, number)),
    read: number => graphql(key, COUNT, pick(all, number)),
    people: number => graphql(key, membersQuery('ua_members'), pick(people, number)),
    written: number =>
      graphql(writer.key, WRITE, { id: eventId(1, 1 + (number % WRITTEN_EVENTS)), capacity: 1 + (number % 1000) }),
    tokens: () => token,
  }
}

/** The kinds of a hundred requests, spread evenly. */
const order: readonly Kind[] = (Object.keys(shares) as Kind[])
  .flatMap(kind => Array.from({ length: shares[kind] }, (_, index) => ({ kind, at: (index + 0.5) / shares[kind] })))
  .sort((one, other) => one.at - other.at)
  .map(({ kind }) => kind)

export const mixOf = (bench: Bench): (() => Sent) => {
  const make = makers(bench)
  let number = 0
  return () => {
    number += 1
    return make[pick(order, number)](number)
  }
}
