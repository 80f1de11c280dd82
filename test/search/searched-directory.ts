// Masjids of many countries and scripts, for tests of what is found first.
import { sql } from '../../src/db/sql.ts'
import { makeApp, makeKey } from '../support/apps.ts'
import { type GraphqlClient, openClient } from '../support/graphql.ts'
import type { TestMinaret } from '../support/minaret.ts'

type Line = readonly [
  slug: string,
  name: string,
  arabic: string | null,
  city: string,
  state: string | null,
  country: string,
  latitude: number,
  longitude: number,
]

export const directory: readonly Line[] = [
  ['noor-houston', 'Masjid An-Noor', 'مسجد النور', 'Houston', 'TX', 'US', 29.76, -95.37],
  ['nur-berlin', 'Nur Camii', null, 'Berlin', null, 'DE', 52.52, 13.4],
  ['nour-paris', 'Mosquée An-Nour', null, 'Paris', null, 'FR', 48.86, 2.35],
  ['noor-islam', 'Noor-ul-Islam Mosque', null, 'London', 'England', 'GB', 51.51, -0.13],
  ['istanbul-one', 'Fatih Camii', null, 'İstanbul', 'İstanbul', 'TR', 41.02, 28.95],
  ['istanbul-two', 'Süleymaniye Camii', 'جامع السليمانية', 'İstanbul', 'İstanbul', 'TR', 41.016, 28.964],
  ['fatih-ankara', 'Fatih Camii', null, 'Ankara', 'Ankara', 'TR', 39.93, 32.86],
  ['isiklar', 'Işıklar Ilıca Mescidi', null, 'Diyarbakır', 'Diyarbakır', 'TR', 37.92, 40.23],
  ['york', 'Islamic Center of New York', null, 'New York', 'NY', 'US', 40.71, -74],
  ['brooklyn', 'Masjid At-Taqwa', null, 'New York', 'NY', 'US', 40.68, -73.95],
  ['york-england', 'York Mosque', null, 'York', 'England', 'GB', 53.96, -1.08],
  ['lahore', 'جامع مسجد مدینہ', null, 'Lahore', 'Punjab', 'PK', 31.55, 74.34],
  ['faisal', 'Faisal Mosque', 'مسجد فيصل', 'Islamabad', null, 'PK', 33.73, 73.04],
  ['kazan', 'Мечеть Кул-Шариф', null, 'Казань', 'Татарстан', 'RU', 55.8, 49.11],
  ['dhaka', 'বায়তুল মোকাররম মসজিদ', null, 'Dhaka', null, 'BD', 23.73, 90.41],
  ['medina', 'Al-Masjid an-Nabawi', 'المسجد النبوي', 'Madinah', null, 'SA', 24.47, 39.61],
  ['madina-leeds', 'Madina Mosque', null, 'Leeds', 'England', 'GB', 53.8, -1.55],
  ['plain', 'Masjid', null, 'Lusaka', null, 'ZM', -15.4, 28.3],
]

export const insertDirectory = async ({ service: { database } }: TestMinaret): Promise<void> => {
  await database.run(sql`
    insert into up_masjids (slug, name, name_ar, address, city, state, country, latitude, longitude, timezone)
    select line ->> 0, line ->> 1, line ->> 2, 'x', line ->> 3, line ->> 4, line ->> 5, (line ->> 6)::float8, (line ->> 7)::float8, 'UTC'
    from jsonb_array_elements(${JSON.stringify(directory)}::jsonb) line`)
}

/** As an app with a key asks. */
export const openReading = async ({ service: { database }, baseUrl }: TestMinaret): Promise<GraphqlClient> => {
  const app = await makeApp(database, { granted: ['masjid:read'] })
  const { key } = await makeKey(database, { appId: app.id })
  return openClient({ baseUrl }, key)
}

export interface Nearby {
  readonly latitude?: number
  readonly longitude?: number
}

const FOUND = `query Search($search: String!, $latitude: Float, $longitude: Float) {
  found: up_masjids_search(args: {search: $search, latitude: $latitude, longitude: $longitude}, limit: 5) { slug }
}`

export const askFor = async (client: GraphqlClient, search: string, place: Nearby = {}) =>
  (await client.query({ query: FOUND, variables: { search, ...place } })).body

/** The first five that the API finds. */
export const slugsFor = async (client: GraphqlClient, search: string, place: Nearby = {}): Promise<string[]> => {
  const { data, errors } = await askFor(client, search, place)
  if (errors !== undefined) throw new Error(errors[0]?.message)
  return data.found.map(({ slug }: { slug: string }) => slug)
}
