// Parameters as somebody sent them → what is asked, or a sentence that names the parameter.
import { adjustedPrayers, type ParameterName, placeParameters } from './parameters.ts'
import type { PlaceQuestion } from './question.ts'
import { checkNames, type RawQuestion, readRange, readZone, refuse } from './read-days.ts'

type NumberName = {
  [Name in ParameterName]: (typeof placeParameters)[Name]['kind'] extends 'number' ? Name : never
}[ParameterName]

/** Nothing that JavaScript would also take for a number: no exponents, no blanks, no hexadecimal digits. */
const plainNumber = /^[+-]?(?:\d{1,6}(?:\.\d{0,20})?|\.\d{1,20})$/

const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && plainNumber.test(value) ? Number(value) : Number.NaN
}

const readNumber = (raw: RawQuestion, name: NumberName): number | undefined => {
  const value = raw[name] ?? undefined
  if (value === undefined) return undefined
  const { least, most, unit } = placeParameters[name]
  const number = numberOf(value)
  if (!(number >= least && number <= most)) throw refuse(name, `is not a number of ${unit} from ${least} to ${most}.`)
  // -0 is 0.
  return number + 0
}

const needNumber = (raw: RawQuestion, name: NumberName): number => {
  const number = readNumber(raw, name)
  if (number === undefined) throw refuse(name, `is missing: ${placeParameters[name].unit}.`)
  return number
}

const readName = <Name extends string>(
  raw: RawQuestion,
  name: ParameterName,
  known: readonly Name[],
): Name | undefined => {
  const value = raw[name] ?? undefined
  if (value === undefined) return undefined
  const found = known.find(one => one === value)
  if (found === undefined) throw refuse(name, `is none of ${known.join(', ')}.`)
  return found
}

type Adjustments = PlaceQuestion['adjustments']

const adjustmentPairs = (value: unknown): readonly (readonly [string, unknown])[] | undefined => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value)
  if (typeof value !== 'string' || value.length > 200) return undefined
  return value.split(',').map(part => {
    const [prayer = '', minutes = '', ...more] = part.split(':')
    return [prayer.trim(), more.length === 0 ? minutes.trim() : undefined]
  })
}

const readAdjustments = ({ adjustments: value = null }: RawQuestion): Adjustments => {
  if (value === null) return {}
  const { most } = placeParameters.adjustments
  const read: Partial<Record<(typeof adjustedPrayers)[number], number>> = {}
  for (const [name, given] of adjustmentPairs(value) ?? [['', '']]) {
    const prayer = adjustedPrayers.find(one => one === name)
    const minutes = numberOf(given)
    if (prayer === undefined || !Number.isInteger(minutes) || Math.abs(minutes) > most)
      throw refuse('adjustments', `is not like fajr:2,isha:-3: whole minutes from -${most} to ${most}.`)
    read[prayer] = minutes + 0
  }
  return read
}

type Angles = Pick<PlaceQuestion, 'fajr_angle' | 'isha_angle' | 'isha_minutes' | 'maghrib_angle'>

const readAngles = (raw: RawQuestion, method: PlaceQuestion['method']): Angles => {
  const names = ['fajr_angle', 'isha_angle', 'isha_minutes', 'maghrib_angle'] as const
  const [fajr_angle, isha_angle, isha_minutes, maghrib_angle] = names.map(name => readNumber(raw, name) ?? null)
  const angles = { fajr_angle, isha_angle, isha_minutes, maghrib_angle } as Angles
  if (method !== 'Other') {
    const given = names.find(name => angles[name] !== null)
    if (given !== undefined) throw refuse(given, 'goes with the method Other only.')
    return angles
  }
  if (angles.fajr_angle === null) throw refuse('fajr_angle', 'is missing: the method Other has none of its own.')
  if ((angles.isha_angle === null) === (angles.isha_minutes === null))
    throw refuse('isha_angle', 'or "isha_minutes" goes with the method Other: one of the two.')
  if (angles.isha_minutes !== null && !Number.isInteger(angles.isha_minutes))
    throw refuse('isha_minutes', 'is not a whole number.')
  return angles
}

/** @throws {Fault} `bad_request` that names the parameter */
export const readQuestion = (raw: RawQuestion): PlaceQuestion => {
  checkNames(raw, Object.keys(placeParameters))
  const method = readName(raw, 'method', placeParameters.method.names)
  return {
    latitude: needNumber(raw, 'latitude'),
    longitude: needNumber(raw, 'longitude'),
    range: readRange(raw),
    timeZone: readZone(raw),
    method,
    madhab: readName(raw, 'madhab', placeParameters.madhab.names) ?? 'shafi',
    highLatitudeRule: readName(raw, 'high_latitude_rule', placeParameters.high_latitude_rule.names) ?? null,
    elevation: readNumber(raw, 'elevation') ?? 0,
    adjustments: readAdjustments(raw),
    ...readAngles(raw, method),
  }
}
