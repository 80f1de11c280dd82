// Amounts as people write them ↔ whole numbers of a currency's smallest unit.

export const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code)

const formats = (language: string, currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(language, { style: 'currency', currency, numberingSystem: 'latn' })

/** Two for most currencies, none for the yen, three for the Kuwaiti dinar. */
const digitsOf = (currency: string): number => formats('en', currency).resolvedOptions().maximumFractionDigits ?? 2

/** Arabic and Persian digits and separators → the Latin ones. */
const inLatin = (text: string): string =>
  text
    .replaceAll(/[٠-٩]/g, digit => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(/[۰-۹]/g, digit => String(digit.charCodeAt(0) - 0x6f0))
    .replaceAll('٫', '.')
    .replaceAll('٬', ' ')

const MOST_MINOR = 10 ** 13

/**
 * `1234.50` → 123450 for a currency with cents. Undefined if it is no amount above 0, or could be read in two ways: in `1,234`
 * the comma may separate thousands or decimals.
 */
export const readAmount = (text: string, currency: string): number | undefined => {
  const plain = inLatin(text).replaceAll(/[\s’']/g, '')
  const [, whole, , decimals = ''] = /^(\d{1,12})([.,](\d{1,3}))?$/.exec(plain) ?? []
  const grouped = /^(\d{1,3}(?:,\d{3})+)\.(\d+)$/.exec(plain) ?? /^(\d{1,3}(?:\.\d{3})+),(\d+)$/.exec(plain)
  const [units, rest] = grouped ? [grouped[1]?.replaceAll(/\D/g, '') ?? '', grouped[2] ?? ''] : [whole, decimals]
  const digits = digitsOf(currency)
  if (units === undefined || rest.length > digits || (rest !== '' && rest.length !== digits)) return undefined
  const minor = Number(units + rest.padEnd(digits, '0'))
  return minor > 0 && minor <= MOST_MINOR ? minor : undefined
}

/** A spreadsheet drops the zeros at the end of a number: `50.5` → `50.50`. */
export const withAllDecimals = (text: string, currency: string): string => {
  const [, whole, decimals = ''] = /^(\d+)\.(\d{1,2})$/.exec(text) ?? []
  return whole === undefined || !isCurrency(currency) ? text : `${whole}.${decimals.padEnd(digitsOf(currency), '0')}`
}

export const wholeUnits = (minor: number, currency: string): number => minor / 10 ** digitsOf(currency)

/** `1234.50`, to be typed again. */
export const typedAmount = (minor: number, currency: string): string =>
  wholeUnits(minor, currency).toFixed(digitsOf(currency))

export const formatMoney = (language: string, minor: number, currency: string): string =>
  formats(language, currency).format(wholeUnits(minor, currency))
