// The form of a new masjid as typed → what it is registered with, or which fields are wrong.
import { isPlainLine } from '../../../base/plain-text.ts'
import type { MasjidDetails } from '../../../capabilities/masjid-requests.ts'
import type { FormValues } from '../../frame/form-body.ts'

const requestFields = [
  'name',
  'name_ar',
  'address',
  'city',
  'state',
  'postal_code',
  'country',
  'place',
  'timezone',
  'words',
] as const

export type RequestForm = Readonly<Record<(typeof requestFields)[number], string>>

export const readRequest = (form: FormValues): RequestForm =>
  Object.fromEntries(requestFields.map(name => [name, form.text(name)])) as RequestForm

export const emptyRequest = Object.fromEntries(requestFields.map(name => [name, ''])) as RequestForm

export type RequestFaults = Readonly<
  Record<
    string,
    'missing' | 'tooLong' | 'unseen' | 'country' | 'place' | 'timezone' | 'words' | 'tooMany' | 'already' | 'notThere'
  >
>

const LONGEST: Readonly<Record<string, number>> = {
  name: 200,
  name_ar: 200,
  address: 500,
  city: 200,
  state: 200,
  postal_code: 50,
  words: 2000,
}

/** `51.5174, -0.0654`, also with Arabic digits or a semicolon. */
const placeOf = (text: string): readonly [number, number] | undefined => {
  const latin = text.replaceAll(/[٠-٩]/g, digit => String(digit.charCodeAt(0) - 0x660)).replaceAll('٫', '.')
  const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d+)?)\s*[,;،\s]\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(latin.trim()) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const place = [Number(latitude), Number(longitude)] as const
  return Math.abs(place[0]) <= 90 && Math.abs(place[1]) <= 180 ? place : undefined
}

const lengthFaults = (values: RequestForm): RequestFaults =>
  Object.fromEntries(
    requestFields.filter(name => values[name].length > (LONGEST[name] ?? 1000)).map(name => [name, 'tooLong' as const]),
  )

const unseenFaults = (values: RequestForm): RequestFaults =>
  Object.fromEntries(
    (['name', 'name_ar', 'city'] as const)
      .filter(name => !isPlainLine(values[name]))
      .map(name => [name, 'unseen' as const]),
  )

const missing = (values: RequestForm): RequestFaults =>
  Object.fromEntries(
    (['name', 'address', 'city'] as const).filter(name => values[name] === '').map(name => [name, 'missing' as const]),
  )

export const wordsFault = ({ words }: Pick<RequestForm, 'words'>): RequestFaults =>
  words === '' ? { words: 'words' } : words.length > 2000 ? { words: 'tooLong' } : {}

export type CheckedRequest = { readonly details: MasjidDetails } | { readonly faults: RequestFaults }

export const checkRequest = (values: RequestForm, timezoneIsKnown: boolean): CheckedRequest => {
  const place = placeOf(values.place)
  const country = values.country.toUpperCase()
  const faults: RequestFaults = {
    ...lengthFaults(values),
    ...unseenFaults(values),
    ...missing(values),
    ...(/^[A-Z]{2}$/.test(country) ? {} : { country: 'country' }),
    ...(place === undefined ? { place: 'place' } : {}),
    ...(timezoneIsKnown ? {} : { timezone: 'timezone' }),
    ...wordsFault(values),
  }
  if (Object.keys(faults).length > 0 || place === undefined) return { faults }
  const { name, address, city, timezone } = values
  const optional = (text: string): string | null => text || null
  return {
    details: {
      name,
      name_ar: optional(values.name_ar),
      address,
      city,
      state: optional(values.state),
      postal_code: optional(values.postal_code),
      country,
      latitude: place[0],
      longitude: place[1],
      timezone,
    },
  }
}
