// The parameters that times of a place are asked with: each with what it may be, for whoever reads, describes or refuses it.
import { highLatitudeRules } from '../prayer/calculation/high-latitude-rules.ts'
import { type AdjustedPrayer, methodNames } from '../prayer/calculation/methods.ts'

export { FIRST_DATE, LAST_DATE } from '../prayer/calculation/known-dates.ts'

export const MOST_DAYS = 400

const madhabs = ['shafi', 'hanafi'] as const

export const adjustedPrayers = [
  'fajr',
  'sunrise',
  'dhuhr',
  'asr',
  'maghrib',
  'isha',
] as const satisfies readonly AdjustedPrayer[]

interface NumberRange {
  readonly kind: 'number'
  readonly least: number
  readonly most: number
  readonly unit: string
}

export type PlaceParameter = { readonly description: string } & (
  | NumberRange
  | { readonly kind: 'date' }
  | { readonly kind: 'zone' }
  | { readonly kind: 'name'; readonly names: readonly string[] }
  | { readonly kind: 'adjustments'; readonly most: number }
)

const angle = (least: number, most: number, description: string): NumberRange & { readonly description: string } => ({
  kind: 'number',
  least,
  most,
  unit: 'degrees',
  description,
})

export const placeParameters = {
  latitude: { kind: 'number', least: -90, most: 90, unit: 'degrees', description: 'Degrees north of the equator.' },
  longitude: { kind: 'number', least: -180, most: 180, unit: 'degrees', description: 'Degrees east of Greenwich.' },
  date: { kind: 'date', description: 'A single day. Without any date: today on the clocks of the place.' },
  from: { kind: 'date', description: 'The first day.' },
  to: { kind: 'date', description: `The last day, at most ${MOST_DAYS} days in all; "from" if left out.` },
  time_zone: { kind: 'zone', description: 'An IANA time zone; that of the coordinates if left out.' },
  method: { kind: 'name', names: methodNames, description: 'The calculation method; that of the country if left out.' },
  madhab: { kind: 'name', names: madhabs, description: 'The school that decides when Asr begins; shafi if left out.' },
  high_latitude_rule: {
    kind: 'name',
    names: highLatitudeRules.filter(name => name !== null),
    description: 'What stands for Fajr and Isha where the sun does not reach their angle.',
  },
  elevation: {
    kind: 'number',
    least: 0,
    most: 10_000,
    unit: 'metres',
    description: 'Height above the horizon: the sun rises earlier and sets later.',
  },
  adjustments: {
    kind: 'adjustments',
    most: 99,
    description: 'Minutes added to times, such as fajr:2,isha:-3.',
  },
  fajr_angle: angle(9, 22, 'The angle of Fajr, with the method Other.'),
  isha_angle: angle(9, 22, 'The angle of Isha, with the method Other.'),
  isha_minutes: {
    kind: 'number',
    least: 30,
    most: 180,
    unit: 'minutes',
    description: 'Isha in minutes after sunset instead of an angle, with the method Other.',
  },
  maghrib_angle: angle(1, 8, 'The angle of Maghrib, with the method Other; sunset if left out.'),
} as const satisfies Record<string, PlaceParameter>

export type ParameterName = keyof typeof placeParameters
