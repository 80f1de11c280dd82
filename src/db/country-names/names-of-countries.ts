// The runtime's data (ICU) → what every country is called: in the languages below, in its own, and as people say it for short.

const LANGUAGES = [
  'en',
  'ar',
  'tr',
  'ur',
  'fa',
  'bn',
  'hi',
  'id',
  'ms',
  'ru',
  'fr',
  'de',
  'es',
  'pt',
  'it',
  'nl',
  'sv',
  'bs',
  'sq',
  'so',
  'sw',
  'ha',
  'uz',
  'kk',
  'zh',
] as const

/** What ICU does not list, and people write. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  AE: ['UAE', 'Emirates', 'الإمارات'],
  BA: ['Bosnia'],
  CD: ['DRC'],
  CI: ['Ivory Coast'],
  CZ: ['Czech Republic'],
  GB: ['UK', 'Great Britain', 'Britain', 'بريطانيا'],
  HK: ['Hong Kong'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  NL: ['Holland'],
  PS: ['Palestine', 'فلسطين'],
  SA: ['KSA', 'Saudi', 'السعودية'],
  TR: ['Turkey', 'Türkiye'],
  US: ['USA', 'US', 'America', 'United States of America', 'أمريكا'],
}

const codes = (): readonly string[] => {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  return letters
    .flatMap(first => letters.map(second => first + second))
    .filter(code => english.of(code) !== undefined && !['EU', 'EZ', 'UN', 'XA', 'XB', 'ZZ', 'QO'].includes(code))
}

/** `tr-Latn-TR`: the language most people there speak, as it is written. */
const ownLanguage = (country: string): string => new Intl.Locale(`und-${country}`).maximize().toString()

export interface CountryName {
  readonly country: string
  readonly name: string
}

/** Increase it when the same data lead to other names. */
const REVISION = 1

/** `48.0.1`: compared as versions are. */
export const editionOfNames = (): string => `${process.versions.cldr ?? 0}.${REVISION}`

export const namesOfCountries = (): readonly CountryName[] => {
  const named = (language: string, style: 'long' | 'short' = 'long'): Intl.DisplayNames =>
    new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style })
  const everywhere = [...LANGUAGES.map(language => named(language)), named('en', 'short')]
  return codes().flatMap(country => {
    const names = [...everywhere, named(ownLanguage(country))].map(one => one.of(country))
    const known = [...names, ...(SHORT[country] ?? [])].filter(name => name !== undefined)
    return [...new Set(known)].map(name => ({ country, name }))
  })
}
