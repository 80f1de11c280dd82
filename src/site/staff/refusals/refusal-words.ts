// The rule that was broken, by its name → the words of the page's language.
import { type Language, languages } from '../../../accounts/languages.ts'
import type { View } from '../../frame/view.ts'
import { fillText } from '../../pieces/fill.ts'
import { arabicRules } from './rules.ar.ts'
import { sharedRules } from './shared-rules.ts'

/** What is refused, as apps are told: in English, with the name of the rule. */
export interface Refusal {
  readonly message: string
  readonly extensions: Readonly<Record<string, unknown>>
}

/** English needs none: the rules are in English, where they are written. */
const written: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = { ar: arabicRules }

const byRule = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([name, text]) => (sharedRules[name] ?? [name]).map(rule => [rule, text])))

const wordsIn: ReadonlyMap<Language, ReadonlyMap<string, string>> = new Map(
  languages.flatMap(language => (language === 'en' ? [] : [[language, byRule(written[language])] as const])),
)

/** A plain sentence of the API, a constraint, or else what the code says. */
export const ruleOf = ({ rule, constraint, code }: Refusal['extensions']): string => String(rule ?? constraint ?? code)

const valuesOf = ({ values, columns }: Refusal['extensions']): Readonly<Record<string, string>> => ({
  ...(values as Readonly<Record<string, string>> | undefined),
  columns: Array.isArray(columns) && columns.length > 0 ? columns.join(', ') : '…',
})

/** Undefined if the rule has no words in this language. */
export const translateRule = (language: Language, { message, extensions }: Refusal): string | undefined => {
  if (language === 'en') return message
  const words = wordsIn.get(language)?.get(ruleOf(extensions))
  return words === undefined ? undefined : fillText(words, valuesOf(extensions))
}

export const refusalWords = ({ texts, language }: View, refusal: Refusal): string =>
  translateRule(language, refusal) ?? fillText(texts.staff.refusedOther, { message: refusal.message })
