// What is looked for → masjids with their distance, next iqamah and Jumu'ah, by the API's own search, in one statement.
import { dateOf, dayNumberAt } from '../../base/civil-date.ts'
import { beginsWith } from '../../base/like.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { askPublic } from '../frame/ask-public.ts'
import type { PublicMasjid } from '../masjid/public-masjid.ts'
import type { PublicTime } from '../masjid/public-time.ts'
import type { FindWishes } from './find-wishes.ts'

type FoundTime = Pick<
  PublicTime,
  'prayer' | 'session' | 'label' | 'iqamah_local' | 'iqamah_at' | 'khutbah_local' | 'adhan_local'
>

export type FoundMasjid = Pick<
  PublicMasjid,
  'slug' | 'name' | 'name_ar' | 'city' | 'state' | 'country' | 'verification'
> & {
  readonly distance_km?: number
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

const TIME = 'prayer session label iqamah_local iqamah_at khutbah_local adhan_local'

const fields = (withDistance: boolean): string => `slug name name_ar city state country verification
    ${withDistance ? 'distance_km(args: {latitude: $latitude, longitude: $longitude})' : ''}
    next: prayer_times(where: {date: {_gte: $from, _lte: $until}, iqamah_at: {_gt: $now}}, order_by: [{iqamah_at: asc}], limit: 1) { ${TIME} }
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
      // It is yesterday or tomorrow already somewhere.
      from: dateOf(today - 1),
      until: dateOf(today + 1),
      friday,
      ...near,
      ...(search === undefined ? { radius } : { search }),
    },
    address,
  })
  return found
}

/** Accents and slips of spelling in a city are forgiven by a second search, over names and cities. */
export const findMasjids = async (engine: Engine, asked: Asked): Promise<Found> => {
  const { wishes } = asked
  const found = await find(engine, asked)
  if (found.length > 0 || wishes.city === '' || wishes.page > 1)
    return { masjids: found.slice(0, PAGE), more: found.length > PAGE, similar: false }
  const name = `${wishes.name} ${wishes.city}`.trim()
  const similar = await find(engine, { ...asked, wishes: { ...wishes, name, city: '' } })
  return { masjids: similar.slice(0, PAGE), more: false, similar: similar.length > 0 }
}

/** Those whose name is like the words of an address that no masjid has. */
export const findSimilar = (
  engine: Engine,
  slug: string,
  asked: Omit<Asked, 'wishes'>,
): Promise<readonly FoundMasjid[]> => {
  const words = slug
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 80)
  const wishes = { name: words, city: '', jumuah: '', near: undefined, radius: 0, page: 1 }
  return words.length < 3 ? Promise.resolve([]) : find(engine, { ...asked, wishes })
}
