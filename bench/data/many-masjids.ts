// A number of masjids, and a seed → the statement that adds them: places all over the world, names in the scripts of those who live
// there, some far more usual than others, large cities and small towns. The same rows in every run, apart from nothing but the seed.
import type { Step } from './tables.ts'
import { cultures, places } from './world-of-masjids.ts'

const text = (value: string | null): string => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`)
const texts = (values: readonly string[]): string => `array[${values.map(text).join()}]::text[]`

const cultureRows = Object.entries(cultures).map(
  ([
    name,
    {
      patterns,
      words,
      towns: [first, second, between = ''],
    },
  ]) => `(${[text(name), ...[patterns, words, first, second].map(texts), text(between)].join()})`,
)

const placeRows = places.map(
  ([city, state, country, latitude, longitude, zone, method, culture], index) =>
    `(${index}, ${text(city)}, ${text(state)}, ${text(country)}, ${latitude}, ${longitude}, ${text(zone)}, ${text(method)}, ${text(culture)})`,
)

/** Each place as often as its share says. */
const shares = places.flatMap(([, , , , , , , , share], index) => Array.from({ length: share }, () => index))

/** Six hexadecimal digits of a row's digest → evenly distributed from 0 to below 1. */
const chance = (from: number): string => `('x' || substr(digest, ${from}, 6))::bit(24)::int / 16777216.0::float8`

/** The first elements far more often than the last. */
const usual = (array: string, luck: string): string =>
  `${array}[1 + floor(cardinality(${array}) * ${luck} * ${luck})::int]`

/** Ids are made of the row’s number alone: the first masjid is the same one however many there are. */
const manyMasjidId = (number: number | string): string => `md5('many masjids ' || ${number})::uuid`

const addMasjids = (masjids: number, seed: number): string => `
with place (no, city, state, country, latitude, longitude, timezone, method, culture) as (values ${placeRows.join()}),
culture (name, patterns, words, towns, suffixes, between) as (values ${cultureRows.join()}),
luck as (
  select n, ${chance(1)} as where_at, ${chance(7)} as town, ${chance(13)} as pattern, ${chance(19)} as word, ${chance(25)} as other,
    ('x' || substr(digest, 31, 2))::bit(8)::int as byte
  from (select n, md5('${seed} ' || n) as digest from generate_series(1, ${masjids}) n) numbered
),
located as (
  select luck.*, place.no, place.state, place.country, place.timezone, place.method, culture.patterns, culture.words,
    case when spot.no = 0 then place.city else culture.towns[1 + spot.no % cardinality(culture.towns)] || culture.between
      || culture.suffixes[1 + (spot.no / cardinality(culture.towns) + place.no) % cardinality(culture.suffixes)] end as city,
    place.latitude + case when spot.no = 0 then 0 else ((spot.no * 7919 + place.no * 31) % 1000) / 250.0 - 2 end
      + (word - other) * 0.15 as latitude,
    place.longitude + case when spot.no = 0 then 0 else ((spot.no * 104729 + place.no * 37) % 1000) / 250.0 - 2 end
      + (pattern - other) * 0.15 as longitude
  from luck
  join place on place.no = (array[${shares.join()}])[1 + floor(where_at * ${shares.length})::int]
  join culture on culture.name = place.culture
  -- a quarter are in the cities themselves; of towns, too, some have more than others
  cross join lateral (select case when town < 0.25 then 0 else 1 + floor(400 * (town - 0.25) * (town - 0.25) / 0.5625)::int end as no) spot
),
named as (
  select located.*, replace(replace(replace(${usual('patterns', 'pattern')}, '{w}', ${usual('words', 'word')}),
    '{v}', ${usual('words', 'other')}), '{c}', city) as name
  from located
)
insert into up_masjids (id, slug, name, name_ar, address, city, state, postal_code, country, latitude, longitude, timezone,
  calculation_method, madhab, languages, facilities, capacity, verification, verified_at)
select ${manyMasjidId('n')}, 'masjid-' || lower(named.country) || '-' || n, named.name,
  case when named.name ~ '[ء-ي]' then named.name when byte < 80 then 'مسجد ' || ${usual('arabic.words', 'word')} end,
  1 + n % 900 || ' Main Street', named.city, named.state, lpad((n % 99999)::text, 5, '0'), named.country,
  round(named.latitude::numeric, 6), round(named.longitude::numeric, 6), named.timezone, named.method::pc_calculation_method,
  (array['shafi', 'hanafi'])[1 + byte % 2]::pc_madhab, array['ar'], array['wudu']::up_facility[], 50 + byte * 4,
  case when byte % 5 = 0 then 'verified' else 'unverified' end::up_verification,
  case when byte % 5 = 0 then timestamptz '2026-01-01' end
from named, (select words from culture where name = 'arabic') arabic`

/** To be run where `search_path` has the tables. */
export const manyMasjids = (masjids: number, seed = 1): Step => ({
  title: `${masjids} masjids all over the world`,
  statement: addMasjids(masjids, seed),
})
