// Rows of a directory → what people and attackers type: names, cities, both, beginnings, slips, and what is meant to be dear.
import type pg from 'pg'

export interface Search {
  readonly kind: string
  readonly text: string
  readonly latitude: number | null
  readonly longitude: number | null
}

const nowhere = { latitude: null, longitude: null }

const HARD = [
  'a',
  'm',
  'mas',
  'masjid',
  'mosque',
  'cami',
  'مسجد',
  'جامع',
  'ال',
  'islamic center',
  'masjid masjid masjid',
  'nur',
  'noor',
  'new york',
  'istanbul',
  'jakarta',
  'مسجد النور',
  'nur nurul noor nour anwar nuri',
  'masjid nurul jakarta',
  'pakistan',
  'indonesia',
  'united',
  'bilal berlin',
  'zzzyxq',
  'x'.repeat(200),
  'ab '.repeat(66),
  '%%%',
  '_',
  '🕌',
  '!?',
  'a b c d e f',
  'i u e o y',
  's t l r n',
  'an al el',
  'xqzvw kjhgf qwrtp',
  'central',
  'madina london houston dhaka lahore kano',
  'sultan ahmed istanbul türkiye',
  'nurul iman bandung',
  'দোয়া',
  'নূর',
  'мечеть',
  'нур казань',
] as const

const misspelt = (text: string, at: number): string =>
  text.slice(0, at % text.length) + text.slice((at % text.length) + 1)

const FAR = [
  [0, -160],
  [-89.9, 0],
  [89, 179.9],
  [-6.2, 106.8],
  [51.5, 0],
] as const

export const readSearches = async (client: pg.Client): Promise<readonly Search[]> => {
  const { rows } = await client.query<{ name: string; city: string; latitude: number; longitude: number }>(
    `select name, city, latitude, longitude from up_masjids where slug ~ '[37]$' order by md5(id::text) limit 60`,
  )
  const ofRows = rows.flatMap(({ name, city, latitude, longitude }, index): Search[] => [
    { kind: 'name', text: name, ...nowhere },
    { kind: 'name, near', text: name, latitude, longitude },
    { kind: 'name and city', text: `${name} ${city}`, ...nowhere },
    { kind: 'city', text: city, ...nowhere },
    { kind: 'beginning', text: name.slice(0, 3 + (index % 5)), ...nowhere },
    { kind: 'misspelt', text: misspelt(name, index), ...nowhere },
  ])
  const hard = HARD.flatMap((text): Search[] => [
    { kind: 'hard', text, ...nowhere },
    ...FAR.slice(0, 2).map(([latitude, longitude]) => ({ kind: 'hard, far', text, latitude, longitude })),
    { kind: 'hard, near', text, latitude: -6.2, longitude: 106.8 },
  ])
  return [...ofRows, ...hard]
}
