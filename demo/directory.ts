/** Invents the directory: 120 masjids around city centres, and the bodies that stand behind them. */
import { addDays } from './calendar.ts'
import { fixtureId } from './fixture-id.ts'
import { countries, type Place } from './places.ts'
import { createRandom, type Random } from './random.ts'

export type Masjid = {
  readonly id: string
  readonly entity_id: string
  readonly slug: string
  readonly name: string
  readonly country: Place['country']
  readonly city: string
  readonly state: string
  readonly postal_code: string
  readonly latitude: number
  readonly longitude: number
  readonly timezone: string
} & Readonly<Record<string, unknown>>

const plants = [
  ['Larkspur', null],
  ['Juniper', null],
  ['Olive', 'الزيتون'],
  ['Jasmine', 'الياسمين'],
  ['Cedar', 'الأرز'],
  ['Willow', 'الصفصاف'],
  ['Almond', 'اللوز'],
  ['Pomegranate', 'الرمان'],
  ['Fig Tree', 'التين'],
  ['Basil', 'الريحان'],
  ['Hawthorn', null],
  ['Sorrel', null],
  ['Linden', null],
  ['Saffron', 'الزعفران'],
  ['Bramble', null],
  ['Myrtle', 'الآس'],
] as const
const ways = ['Lane', 'Hill', 'Court', 'Grove', 'Meadow', 'Terrace', 'Crossing', 'Bridge'] as const
const streets = [
  'Lanternfish',
  'Quillwort',
  'Old Thimble',
  'Copper Kettle',
  'Marrowstone',
  'Wickerby',
  'Tansy',
  'Ploverdale',
] as const
const facilities = [
  'women_space',
  'wudu',
  'parking',
  'wheelchair',
  'janazah',
  'children_classes',
  'full_time_school',
  'library',
  'kitchen',
  'multipurpose_hall',
  'nursing_room',
  'food_bank',
  'counselling',
  'hearing_loop',
  'ev_charging',
] as const
const languages = ['ar', 'ur', 'bn', 'so', 'tr', 'fr', 'ms', 'bs', 'fa', 'ha'] as const
const methods = { US: 'NorthAmerica', CA: 'NorthAmerica', GB: 'MoonsightingCommittee' } as const
const umbrellaCount = 6

export function generateMasjids(seed: number, today: string): Masjid[] {
  const random = createRandom(seed, 'masjids')
  const places = countries.flatMap(({ count, places }) =>
    Array.from({ length: count }, (_, index) => places[index % places.length] as Place),
  )
  return places.map((place, index) => inventMasjid({ seed, today, random, place, index }))
}

type Recipe = { seed: number; today: string; random: Random; place: Place; index: number }

function inventMasjid({ seed, today, random, place, index }: Recipe): Masjid {
  const [plant, arabic] = plants[index % plants.length] as (typeof plants)[number]
  const name = `${plant} ${ways[Math.floor(index / plants.length)]} Masjid`
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return {
    id: fixtureId(seed, 'up_masjids', index),
    entity_id: fixtureId(seed, 'up_entities', umbrellaCount + index),
    slug,
    name,
    name_ar: arabic === null ? null : `مسجد ${arabic}`,
    ...inventLocation(random, place),
    ...inventCalculation(random, place),
    languages: ['en', ...random.some(languages, 0.25)],
    facilities: ['wudu', ...random.some(facilities, 0.45).filter(facility => facility !== 'wudu')],
    capacity: random.integer(4, 90) * 20,
    phone: fixturePhone(place.country, index),
    email: `office@${slug}.example.org`,
    website: `https://${slug}.example.org`,
    ...inventVerification(random, today),
  }
}

/** Within three kilometres of the centre, evenly over the area. */
function inventLocation(random: Random, place: Place) {
  const distance = 3 * Math.sqrt(random.next())
  const bearing = 2 * Math.PI * random.next()
  const north = (distance * Math.cos(bearing)) / 111.2
  const east = (distance * Math.sin(bearing)) / (111.2 * Math.cos((place.latitude * Math.PI) / 180))
  return {
    address: `${random.integer(1, 980)} ${random.pick(streets)} ${random.pick(['Street', 'Road', 'Avenue'])}`,
    city: place.city,
    state: place.state,
    postal_code: place.postalCode,
    country: place.country,
    latitude: Number((place.latitude + north).toFixed(6)),
    longitude: Number((place.longitude + east).toFixed(6)),
    timezone: place.timezone,
  }
}

function inventCalculation(random: Random, place: Place) {
  return {
    calculation_method: random.chance(0.85) ? methods[place.country] : 'MuslimWorldLeague',
    madhab: random.chance(0.4) ? 'hanafi' : 'shafi',
    high_latitude_rule: Math.abs(place.latitude) > 48 && random.chance(0.5) ? 'seventh_of_the_night' : null,
    adjustments: random.chance(0.1) ? { dhuhr: 2, maghrib: 3 } : {},
    hijri_adjustment: random.pick([0, 0, 0, 0, -1, 1]),
  }
}

function inventVerification(random: Random, today: string) {
  const verification = random.pick(['verified', 'verified', 'verified', 'pending', 'unverified'] as const)
  const daysAgo = random.integer(5, 300)
  return { verification, verified_at: verification === 'verified' ? `${addDays(today, -daysAgo)}T15:00:00Z` : null }
}

/** 555-01xx is kept free of real subscribers. */
export function fixturePhone(country: string, index: number): string {
  const last = String(index % 100).padStart(2, '0')
  return country === 'GB' ? `+44 1632 555-01${last}` : `+1 ${country === 'CA' ? 416 : 212} 555-01${last}`
}

export function generateEntities(seed: number, masjids: readonly Masjid[]) {
  const random = createRandom(seed, 'entities')
  const umbrellas = ['Fernbrook', 'Tidewater', 'Highmoor', 'Lakeland', 'Prairie Star', 'Northlight'].map(
    (name, index) => ({
      id: fixtureId(seed, 'up_entities', index),
      kind: 'umbrella',
      legal_name: `${name} Council of Masjids`,
      registration_no: `00-UMB-${index + 1}`,
      country: (['US', 'GB', 'GB', 'CA', 'US', 'CA'] as const)[index],
      parent_id: null as string | null,
      website: `https://${name.toLowerCase().replaceAll(' ', '-')}.example.org`,
    }),
  )
  return [...umbrellas, ...masjids.map((masjid, index) => inventEntity({ seed, random, masjid, index, umbrellas }))]
}

type EntityRecipe = {
  seed: number
  random: Random
  masjid: Masjid
  index: number
  umbrellas: readonly { id: string; country: string | undefined }[]
}

function inventEntity({ seed, random, masjid, index, umbrellas }: EntityRecipe) {
  const kind = masjid.country === 'GB' ? 'trust' : random.chance(0.1) ? 'school' : 'nonprofit'
  const near = umbrellas.filter(umbrella => umbrella.country === masjid.country)
  return {
    id: fixtureId(seed, 'up_entities', umbrellaCount + index),
    kind,
    legal_name: `${masjid.name.replace(/ Masjid$/, '')} ${kind === 'trust' ? 'Trust' : kind === 'school' ? 'Academy' : 'Association'}`,
    registration_no: `00-${String(1000000 + index * 37)}`,
    country: masjid.country,
    parent_id: random.chance(0.35) ? random.pick(near).id : null,
    website: masjid.website as string,
  }
}
