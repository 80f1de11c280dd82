// A time zone → its country, and the method by which times are calculated there.
import { LRUCache } from 'lru-cache'
import type { MethodName } from '../prayer/calculation/methods.ts'

/** Elsewhere, and at sea. */
export const USUAL_METHOD: MethodName = 'MuslimWorldLeague'

/** What a country's authority publishes by, or most of its masjids. */
const methods: Readonly<Record<string, MethodName>> = {
  AE: 'Dubai',
  AF: 'Karachi',
  BD: 'Karachi',
  BH: 'Gulf',
  CA: 'NorthAmerica',
  CY: 'Turkey',
  DZ: 'Algeria',
  EG: 'Egyptian',
  EH: 'Morocco',
  FR: 'France12',
  GB: 'MoonsightingCommittee',
  ID: 'Kemenag',
  IE: 'MoonsightingCommittee',
  IN: 'Karachi',
  IQ: 'Egyptian',
  IR: 'Tehran',
  JO: 'Jordan',
  KW: 'Kuwait',
  LB: 'Egyptian',
  LK: 'Karachi',
  LY: 'Egyptian',
  MA: 'Morocco',
  MY: 'Jakim',
  NP: 'Karachi',
  OM: 'Gulf',
  PK: 'Karachi',
  PR: 'NorthAmerica',
  PT: 'Lisbon',
  QA: 'Qatar',
  RU: 'Russia',
  SA: 'UmmAlQura',
  SD: 'Egyptian',
  SG: 'Singapore',
  SY: 'Egyptian',
  TN: 'Tunisia',
  TR: 'Turkey',
  US: 'NorthAmerica',
  YE: 'UmmAlQura',
  ZA: 'Karachi',
}

/** Of both spellings of a zone, the runtime lists one. */
const canonical = (zone: string): string => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

/** Undefined if the country has no method of its own here. */
export type CountryOf = (zone: string) => string | undefined

/** More spellings than zones are never kept. */
const MOST_KEPT = 500

/** The runtime knows the zones of each country by their canonical names; it is asked once, when the first method is looked for. */
export const createCountryOf = (): CountryOf => {
  let byZone: ReadonlyMap<string, string> | undefined
  const zones = (): ReadonlyMap<string, string> =>
    new Map(
      Object.keys(methods).flatMap(country => {
        const listed = new Intl.Locale('und', { region: country }).getTimeZones() ?? []
        return listed.map(zone => [zone, country] as const)
      }),
    )
  const spelt = new LRUCache<string, string>({ max: MOST_KEPT })
  return zone => {
    byZone ??= zones()
    const name = spelt.get(zone) ?? canonical(zone)
    spelt.set(zone, name)
    return byZone.get(name)
  }
}

export const methodOf = (country: string | undefined): MethodName => methods[country ?? ''] ?? USUAL_METHOD
