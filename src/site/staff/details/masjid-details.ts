// The details of a masjid as the API has them ↔ as typed; only what was changed is sent.
import { facilities } from '../../../base/facilities.ts'
import { highLatitudeRules } from '../../../prayer/calculation/high-latitude-rules.ts'
import { type MethodName, methodNames } from '../../../prayer/calculation/methods.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { notOffered } from '../not-offered.ts'

export const aboutColumns = [
  'name',
  'name_ar',
  'address',
  'city',
  'state',
  'postal_code',
  'country',
  'latitude',
  'longitude',
  'languages',
  'facilities',
  'capacity',
  'phone',
  'email',
  'website',
  'guest_rsvps',
] as const

export const angleColumns = ['fajr_angle', 'isha_angle', 'isha_minutes', 'maghrib_angle'] as const

export const calculationColumns = [
  'timezone',
  'calculation_method',
  'madhab',
  'high_latitude_rule',
  'adjustments',
  ...angleColumns,
] as const

type Column = (typeof aboutColumns)[number] | (typeof calculationColumns)[number]

export const adjustedPrayers = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const
/** The most usual first, a masjid's own last. */
export const methods: readonly MethodName[] = [
  ...new Set<MethodName>(['MuslimWorldLeague', ...methodNames.filter(name => name !== 'Other'), 'Other']),
]

export type MasjidDetails = Readonly<Record<Column, unknown>> & { readonly version: number | string }
export type DetailsForm = Readonly<Record<Exclude<Column, 'facilities'>, string>> & {
  readonly facilities: readonly string[]
  readonly version: string
}

export const DETAILS = `query Details($masjid: uuid!) {
  masjid: up_masjids_by_pk(id: $masjid) { version ${[...aboutColumns, ...calculationColumns].join(' ')} }
}`

export const SAVE = `mutation Save($masjid: uuid!, $set: up_masjids_set_input!, $version: bigint!) {
  written: update_up_masjids_by_pk(pk_columns: {id: $masjid}, _set: $set, if_version: $version) { id }
}`

export const adjustmentField = (prayer: string): string => `adjustments_${prayer}`

type TextColumn = Exclude<Column, 'facilities' | 'adjustments'>
const textColumns = [...aboutColumns, ...calculationColumns].filter(
  name => name !== 'facilities' && name !== 'adjustments',
) as TextColumn[]

const shown = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.join(' ') : String(value)

/** The corrections in one text, as `fajr=2 isha=-1`: one field for each prayer on the page. */
export const adjustmentsIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(' ')
      .filter(Boolean)
      .map(part => part.split('=') as [string, string]),
  )

export const formOf = (masjid: MasjidDetails): DetailsForm => ({
  ...(Object.fromEntries(textColumns.map(name => [name, shown(masjid[name])])) as Record<TextColumn, string>),
  adjustments: Object.entries(masjid.adjustments as Record<string, number>)
    .map(([prayer, minutes]) => `${prayer}=${minutes}`)
    .join(' '),
  facilities: masjid.facilities as string[],
  version: String(masjid.version),
})

export const readDetails = (form: FormValues): DetailsForm => ({
  ...(Object.fromEntries(textColumns.map(name => [name, form.text(name)])) as Record<TextColumn, string>),
  adjustments: adjustedPrayers
    .filter(prayer => !['', '0'].includes(form.text(adjustmentField(prayer))))
    .map(prayer => `${prayer}=${form.text(adjustmentField(prayer)).replaceAll(/\s/g, '')}`)
    .join(' '),
  facilities: form.list('facilities'),
  version: form.text('version'),
})

/** Those that this version knows, and what stands that it does not: a newer one has added it. */
export const offeredFacilities = (chosen: readonly string[]): readonly string[] => [
  ...new Set<string>([...facilities, ...chosen]),
]

const numbers = new Set<Column>(['latitude', 'longitude', 'capacity', ...angleColumns])

const madhabs = ['shafi', 'hanafi'] as const
const rules = highLatitudeRules.map(rule => rule ?? '')

/** Fields with a choice that the form does not offer. */
export const faultyChoices = (form: DetailsForm, stored: MasjidDetails): Column[] => {
  const standing = new Set<string>([...facilities, ...formOf(stored).facilities])
  const selects = { calculation_method: methods, madhab: madhabs, high_latitude_rule: rules }
  return [
    ...(Object.keys(notOffered(form, selects, formOf(stored))) as Column[]),
    ...(form.facilities.every(name => standing.has(name)) ? [] : (['facilities'] as const)),
  ]
}

/** A field that is no number; everything else the database decides, in words. */
export const faultyNumbers = (form: DetailsForm): Column[] => [
  ...textColumns.filter(name => numbers.has(name) && form[name] !== '' && !/^-?\d{1,7}(\.\d{1,10})?$/.test(form[name])),
  ...(Object.values(adjustmentsIn(form.adjustments)).every(minutes => /^-?\d{1,2}$/.test(minutes))
    ? []
    : (['adjustments'] as const)),
]

const sentValue = (form: DetailsForm, name: Column): unknown => {
  if (name === 'facilities') return form.facilities
  if (name === 'guest_rsvps') return form.guest_rsvps === 'true'
  if (name === 'languages') return form.languages.split(/[\s,،]+/).filter(Boolean)
  if (name === 'adjustments')
    return Object.fromEntries(
      Object.entries(adjustmentsIn(form.adjustments)).map(([prayer, text]) => [prayer, Number(text)]),
    )
  if (form[name] === '') return null
  if (numbers.has(name)) return Number(form[name])
  return name === 'country' ? form[name].toUpperCase() : name === 'email' ? form[name].toLowerCase() : form[name]
}

const same = (left: unknown, right: unknown): boolean => {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort())
      : Array.isArray(value)
        ? [...value].sort()
        : value
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
}

/** What differs from the stored values, in the columns that the visitor may change. */
export const changesOf = (
  form: DetailsForm,
  stored: MasjidDetails,
  columns: readonly Column[],
): Record<string, unknown> =>
  Object.fromEntries(
    columns.map(name => [name, sentValue(form, name)] as const).filter(([name, value]) => !same(value, stored[name])),
  )
