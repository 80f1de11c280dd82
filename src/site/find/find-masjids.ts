// What is looked for → masjids with their distance, next prayer and Jumu'ah, by the API's own search: in one statement, and what is not
// stored is calculated.
import { dateOf, dayNumberAt } from '../../base/civil-date.ts'
import { beginsWith } from '../../base/like.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askNextCalculated, daysNear } from '../../prayer/on-demand/next-calculated.ts'
import { askPublic } from '../frame/ask-public.ts'
import type { PublicMasjid } from '../masjid/public-masjid.ts'
import type { PublicTime } from '../masjid/public-time.ts'
import type { FindWishes } from './find-wishes.ts'

export type FoundTime = Pick<
  PublicTime,
  'prayer' | 'session' | 'label' | 'iqamah_local' | 'iqamah_at' | 'adhan_local' | 'adhan_at' | 'source'
>

export type FoundMasjid = Pick<
  PublicMasjid,
  'id' | 'slug' | 'name' | 'name_ar' | 'city' | 'state' | 'country' | 'verification'
> & {
  readonly distance_km?: number
  /** An iqamah, or where none is coming, an adhan. */
  readonly next: readonly FoundTime[]
  readonly jumuah: readonly FoundTime[]
}

export interface Found {
  readonly masjids: readonly FoundMasjid[]
  readonly more: boolean
  /** Nothing is in that city, but these have a name like it. */
  readonly similar: boolean
}

const PAGE = 20

const TIME = 'prayer session label iqamah_local iqamah_at adhan_local adhan_at source'

const fields = (withDistance: boolean): string => `id slug name name_ar city state country verification
    ${withDistance ? 'distance_km(args: {latitude: $latitude, longitude: $longitude})' : ''}
    next: prayer_times(
      where: {date: {_gte: $from, _lte: $until}, _or: [{iqamah_at: {_gt: $now}}, {iqamah_at: {_is_null: true}, adhan_at: {_gt: $now}}]}
      order_by: [{iqamah_at: asc}, {adhan_at: asc}], limit: 1
    ) { ${TIME} }
    jumuah: prayer_times(where: {date: {_eq: $friday}, prayer: {_eq: jumuah}}, order_by: [{session: asc}], limit: 5) { ${TIME} }`

const shared =
  '$where: up_masjids_bool_exp!, $skip: Int!, $now: timestamptz!, $from: date!, $until: date!, $friday: date!'
const list = `where: $where, limit: ${PAGE + 1}, offset: $skip`

const BY_PLACE = `query Nearby($latitude: Float!, $longitude: Float!, $radius: Float!, ${shared}) {
  found: up_masjids_nearby(args: {latitude: $latitude, longitude: $longitude, radius_km: $radius}, ${list}) { ${fields(true)} }
}`

const BY_NAME_AND_PLACE = `query NamedNearby($search: String!, $latitude: Float!, $longitude: Float!, ${shared}) {
  found: up_masjids_search(args: {search: $search, latitude: $latitude, longitude: $longitude}, ${list}) { ${fields(true)} }
}`

const BY_NAME = `query Named($search: String!, ${shared}) {
  found: up_masjids_search(args: {search: $search}, ${list}) { ${fields(false)} }
}`

const documentFor = ({ name, near }: FindWishes): string => {
  if (near === undefined) return BY_NAME
  return name === '' ? BY_PLACE : BY_NAME_AND_PLACE
}

/** A city alone is searched for as well: a filter would read the whole directory for one that few masjids are in. */
const searchOf = ({ name, city, near }: FindWishes): string | undefined => {
  if (near === undefined) return `${name} ${city}`.trim()
  return name === '' ? undefined : name
}

/** The first Friday on or after a day: 1970-01-01 was a Thursday. */
const fridayFrom = (day: number): string => dateOf(day + ((8 - (day % 7)) % 7))

const filterFor = ({ name, city, jumuah, near, radius }: FindWishes, friday: string): Record<string, unknown> => ({
  ...(city === '' ? {} : { city: { _ilike: beginsWith(city) } }),
  ...(jumuah === ''
    ? {}
    : {
        prayer_times: {
          date: { _eq: friday },
          prayer: { _eq: 'jumuah' },
          iqamah_local: { _gte: `${friday}T${jumuah}:00` },
        },
      }),
  ...(near === undefined || name === '' ? {} : { distance_km: { args: near, predicate: { _lte: radius } } }),
})

interface Asked {
  readonly wishes: FindWishes
  readonly now: Date
  readonly address: string
}

const find = async (engine: Engine, { wishes, now, address }: Asked): Promise<readonly FoundMasjid[]> => {
  const today = dayNumberAt(now)
  const friday = fridayFrom(today)
  const { near, radius, page } = wishes
  const search = searchOf(wishes)
  const { found } = await askPublic<{ readonly found: readonly FoundMasjid[] }>(engine, {
    query: documentFor(wishes),
    variables: {
      where: filterFor(wishes, friday),
      skip: (page - 1) * PAGE,
      now: now.toISOString(),
      ...daysNear(now),
      friday,
      ...near,
      ...(search === undefined ? { radius } : { search }),
    },
    address,
  })
  return found
}

/** At most a page of them. */
const withCalculated = async (
  engine: Engine,
  masjids: readonly FoundMasjid[],
  { now, address }: Asked,
): Promise<readonly FoundMasjid[]> => {
  const unknown = masjids.filter(({ next }) => next.length === 0).map(({ id }) => id)
  const calculated = await askNextCalculated(
    question => askPublic(engine, { ...question, address, listed: true }),
    unknown,
    now,
  )
  return masjids.map(masjid => {
    const next = calculated.get(masjid.id)
    return next === undefined ? masjid : { ...masjid, next: [next] }
  })
}

/** Accents and slips of spelling in a city are forgiven by a second search, over names and cities. */
export const findMasjids = async (engine: Engine, asked: Asked): Promise<Found> => {
  const { wishes } = asked
  const found = await find(engine, asked)
  if (found.length > 0 || wishes.city === '' || wishes.page > 1)
    return {
      masjids: await withCalculated(engine, found.slice(0, PAGE), asked),
      more: found.length > PAGE,
      similar: false,
    }
  const search = `${wishes.name} ${wishes.city}`.trim()
  const similar = await find(engine, { ...asked, wishes: { ...wishes, name: search, city: '' } })
  const masjids = await withCalculated(engine, similar.slice(0, PAGE), asked)
  return { masjids, more: false, similar: masjids.length > 0 }
}

const MOST_SIMILAR = 5

/** Those whose name is like the words of an address that no masjid has. */
export const findSimilar = async (
  engine: Engine,
  slug: string,
  asked: Omit<Asked, 'wishes'>,
): Promise<readonly FoundMasjid[]> => {
  const words = slug
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 80)
  if (words.length < 3) return []
  const like = { ...asked, wishes: { name: words, city: '', jumuah: '', near: undefined, radius: 0, page: 1 } }
  return withCalculated(engine, (await find(engine, like)).slice(0, MOST_SIMILAR), like)
}
