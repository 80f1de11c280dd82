// find_masjids: words, a place or both → masjids, nearest or best first.
import * as z from 'zod'
import { defineTool } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { withoutNulls } from '../words.ts'
import { latitudeField, longitudeField } from './masjid-input.ts'

const FIELDS = 'slug name name_ar address city state country timezone verification'
const AT = 'args: {latitude: $latitude, longitude: $longitude}'

const NEARBY = `query Nearby($latitude: Float!, $longitude: Float!, $radius: Float!, $limit: Int!, $offset: Int!) {
  found: up_masjids_nearby(args: {latitude: $latitude, longitude: $longitude, radius_km: $radius}, limit: $limit, offset: $offset) {
    ${FIELDS} distance_km(${AT})
  }
}`

const NAMED = `query Named($words: String!, $limit: Int!, $offset: Int!) {
  found: up_masjids_search(args: {search: $words}, limit: $limit, offset: $offset) { ${FIELDS} }
}`

const NAMED_NEARBY = `query NamedNearby(
  $words: String!, $latitude: Float!, $longitude: Float!, $radius: Float!, $limit: Int!, $offset: Int!
) {
  found: up_masjids_search(
    args: {search: $words, latitude: $latitude, longitude: $longitude}, limit: $limit, offset: $offset
    where: {distance_km: {args: {latitude: $latitude, longitude: $longitude}, predicate: {_lte: $radius}}}
  ) { ${FIELDS} distance_km(${AT}) }
}`

interface Found {
  readonly slug: string
  readonly name: string
  readonly name_ar: string | null
  readonly address: string
  readonly city: string
  readonly state: string | null
  readonly country: string
  readonly timezone: string
  readonly verification: string
  readonly distance_km?: number
}

const input = z.strictObject({
  words: z
    .string()
    .min(2)
    .max(200)
    .optional()
    .describe('Words of the name, the city or the country, in any script; spelling is forgiven.'),
  latitude: latitudeField.optional(),
  longitude: longitudeField.optional(),
  radius_km: z.number().min(0.1).max(500).optional().describe('How far away a masjid may be; 25 if left out.'),
  limit: z.int().min(1).max(20).optional().describe('How many to return; 5 if left out.'),
  page: z.int().min(1).max(100).optional().describe('1 for the first page.'),
})

const output = z.object({
  masjids: z.array(
    z.object({
      masjid: z.string().describe('Pass this to the other tools.'),
      name: z.string(),
      name_ar: z.string().optional(),
      address: z.string(),
      city: z.string(),
      state: z.string().optional(),
      country: z.string(),
      timezone: z.string(),
      details_checked: z.boolean(),
      distance_km: z.number().optional(),
    }),
  ),
  more: z.boolean(),
  how_to_get_more: z.string().optional(),
})

const documentFor = ({ words, latitude, longitude }: z.output<typeof input>): string => {
  const hasPlace = latitude !== undefined && longitude !== undefined
  if (words === undefined && !hasPlace) throw new ToolRefusal('Give words, or latitude and longitude, or both.')
  if (!hasPlace && (latitude ?? longitude) !== undefined)
    throw new ToolRefusal('A place needs both latitude and longitude.')
  if (!hasPlace) return NAMED
  return words === undefined ? NEARBY : NAMED_NEARBY
}

const dataOf = ({ slug, verification, distance_km, ...rest }: Found): Record<string, unknown> =>
  withoutNulls({
    masjid: slug,
    ...rest,
    details_checked: verification === 'verified',
    distance_km: distance_km === undefined ? undefined : Math.round(distance_km * 10) / 10,
  })

const lineOf = ({ slug, name, city, state, distance_km }: Found): string =>
  `- ${name}, ${[city, state].filter(part => part !== null).join(', ')}${
    distance_km === undefined ? '' : `, ${distance_km.toFixed(1)} km away`
  } (masjid: ${slug})`

const NONE = 'No masjid was found. Try fewer or other words, or a larger radius_km.'

export const findMasjids = defineTool({
  name: 'find_masjids',
  title: 'Find masjids',
  description:
    'Finds masjids by words of their name, city or country, near a place, or both. The other tools take the value of "masjid" from here.',
  scopes: ['masjid:read'],
  writes: false,
  input,
  output,
  run: async ({ ask }, wishes) => {
    const { limit = 5, page = 1, radius_km: radius = 25, words, latitude, longitude } = wishes
    const query = documentFor(wishes)
    const place = query === NAMED ? {} : { latitude, longitude, radius }
    const search = query === NEARBY ? {} : { words }
    const variables = { ...search, ...place, limit: limit + 1, offset: (page - 1) * limit }
    const { found } = await ask<{ found: readonly Found[] }>({ query, variables })
    const masjids = found.slice(0, limit)
    const more = found.length > limit
    const next = more ? `Call again with page ${page + 1}.` : undefined
    return {
      words: masjids.length === 0 ? NONE : [...masjids.map(lineOf), next ?? ''].join('\n').trim(),
      data: withoutNulls({ masjids: masjids.map(dataOf), more, how_to_get_more: next }),
    }
  },
})
