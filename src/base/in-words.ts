// Counts → words that agree with them: "1 second", "2 seconds", and the six forms of Arabic.

export type DurationUnit = 'second' | 'minute' | 'hour' | 'day'

/** A text for each plural form that a language has (CLDR); `other` serves where one is missing. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** Latin digits in every language, as everywhere else on the pages. */
export const durationInWords = (count: number, unit: DurationUnit, language = 'en'): string =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' }).format(count)

export const pluralForm = (count: number, forms: PluralForms, language = 'en'): string =>
  forms[new Intl.PluralRules(language).select(count)] ?? forms.other

/** `counted(1, 'row')` is "1 row", `counted(3, 'row')` "3 rows": for messages to developers, which are English. */
export const counted = (count: number, one: string, other = `${one}s`): string =>
  `${count} ${pluralForm(count, { one, other })}`
