// get_next_prayer: a masjid, or a place → the next prayer there, and how long until then.
import * as z from 'zod'
import { askNextCalculated } from '../../prayer/on-demand/next-calculated.ts'
import { type Call, defineTool, type ToolAnswer } from '../tool.ts'
import { ToolRefusal } from '../tool-refusal.ts'
import { momentInWords, untilInWords } from '../words.ts'
import { daysAround, latitudeField, longitudeField, masjidField } from './masjid-input.ts'
import {
  comesAt,
  noteOnNames,
  PRAYER_FIELDS,
  type PrayerRow,
  prayerData,
  prayerSchema,
  sessionInWords,
} from './prayer-time.ts'
import { readTimes } from './read-times.ts'

const input = z.strictObject({
  masjid: masjidField.optional(),
  latitude: latitudeField.optional(),
  longitude: longitudeField.optional(),
  radius_km: z.number().min(0.1).max(100).optional().describe('Around the place; 10 if left out.'),
})

const output = z.object({
  next: z.array(
    z.object({
      masjid: z.string(),
      name: z.string(),
      timezone: z.string(),
      date: z.string(),
      in_words: z.string(),
      calculated: z.literal(true).optional().describe('Nothing that the masjid announces is known of the day'),
      prayer: prayerSchema,
    }),
  ),
})

const MOST_NEARBY = 5

const NEARBY = `query NextNearby($latitude: Float!, $longitude: Float!, $radius: Float!, $now: timestamptz!) {
  found: pc_next_prayers_nearby(args: {latitude: $latitude, longitude: $longitude, radius_km: $radius, at: $now}, limit: ${MOST_NEARBY}) {
    ${PRAYER_FIELDS} masjid { id slug name timezone }
  }
  near: up_masjids_nearby(args: {latitude: $latitude, longitude: $longitude, radius_km: $radius}, limit: ${MOST_NEARBY}) {
    id slug name timezone
  }
}`

interface Place {
  readonly slug: string
  readonly name: string
  readonly timezone: string
}

interface Next {
  readonly place: Place
  readonly row: PrayerRow
  readonly calculated: boolean
}

/** By instants, so that it is right on the day clocks change, and for an Isha after midnight. */
const nextOf = (times: readonly PrayerRow[], now: Date): PrayerRow | undefined =>
  times
    .map(row => ({ row, at: comesAt(row)?.getTime() ?? 0 }))
    .filter(({ at }) => at > now.getTime())
    .sort((left, right) => left.at - right.at)[0]?.row

const inWords = ({ place, row, calculated }: Next, now: Date): string => {
  const at = comesAt(row)
  const when = at === undefined ? row.date : `${momentInWords(at, place.timezone)}, ${untilInWords(now, at)}`
  return `${sessionInWords(row)} at ${place.name}: ${row.iqamah_at === null ? 'adhan' : 'iqamah'} at ${when}${calculated ? ', calculated, not announced by the masjid' : ''}.`
}

const answer = (next: readonly Next[], now: Date): ToolAnswer => ({
  words:
    next.length === 0
      ? 'No coming prayer is known there. Try a larger radius_km, or another masjid from find_masjids.'
      : [...next.map(one => inWords(one, now)), ...noteOnNames(next.map(({ row }) => row))].join('\n'),
  data: {
    next: next.map(one => ({
      masjid: one.place.slug,
      name: one.place.name,
      timezone: one.place.timezone,
      date: one.row.date,
      in_words: inWords(one, now),
      ...(one.calculated ? { calculated: true } : {}),
      prayer: prayerData(one.row),
    })),
  },
})

const atMasjid = async (call: Call, masjid: string): Promise<ToolAnswer> => {
  const place = await readTimes(call, masjid, daysAround(call.now, 2, 2))
  const row = nextOf(place.times, call.now)
  return answer(row === undefined ? [] : [{ place, row, calculated: place.calculated.has(row.date) }], call.now)
}

type NearPlace = Place & { readonly id: string }

interface Nearby {
  readonly found: readonly (PrayerRow & { readonly masjid: NearPlace })[]
  readonly near: readonly NearPlace[]
}

/** Nearest first; what is known of masjids further away fills the places of those of which nothing is. */
const nearPlace = async (call: Call, variables: Readonly<Record<string, number>>): Promise<ToolAnswer> => {
  const { found, near } = await call.ask<Nearby>({
    query: NEARBY,
    variables: { ...variables, now: call.now.toISOString() },
  })
  const stored = new Map(found.map(({ masjid, ...row }) => [masjid.id, row]))
  const others = near.map(({ id }) => id).filter(id => !stored.has(id))
  const calculated = await askNextCalculated(call.ask, others, call.now)
  const places = new Map([...near, ...found.map(({ masjid }) => masjid)].map(place => [place.id, place]))
  const next = [...places.values()].flatMap((place): Next[] => {
    const row = stored.get(place.id) ?? calculated.get(place.id)
    return row === undefined ? [] : [{ place, row, calculated: calculated.has(place.id) }]
  })
  return answer(next.slice(0, MOST_NEARBY), call.now)
}

export const getNextPrayer = defineTool({
  name: 'get_next_prayer',
  title: 'Next prayer',
  description: 'The next prayer at a masjid, or at the masjids near a place: when, and how long until then.',
  scopes: ['masjid:read', 'prayer-times:read'],
  writes: false,
  input,
  output,
  run: async (call, { masjid, latitude, longitude, radius_km: radius = 10 }) => {
    if (masjid !== undefined) return atMasjid(call, masjid)
    if (latitude === undefined || longitude === undefined)
      throw new ToolRefusal('Give a masjid, or latitude and longitude.')
    return nearPlace(call, { latitude, longitude, radius })
  },
})
