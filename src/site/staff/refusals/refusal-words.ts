// What the database refused, in its own English words → the words of the page's language.
import type { Language } from '../../../accounts/languages.ts'
import type { View } from '../../frame/view.ts'
import { fillText } from '../../pieces/fill.ts'
import { arabicRules } from './rules.ar.ts'

interface Rule {
  readonly pattern: RegExp
  readonly words: string
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** `Only <rest> of it is left.` → a pattern that names what differs. */
const ruleOf = ([english, words]: readonly [string, string]): Rule => ({
  pattern: new RegExp(`^${escaped(english).replaceAll(/<(\w+)>/g, '(?<$1>[^]+?)')}$`),
  words,
})

/** Exact sentences first: a pattern could fit one of them as well. */
const inOrder = (rules: Readonly<Record<string, string>>): Rule[] =>
  Object.entries(rules)
    .toSorted(([one], [other]) => Number(one.includes('<')) - Number(other.includes('<')))
    .map(ruleOf)

/** English needs none: the rules are in English, where they are written. */
const rulesIn: Readonly<Partial<Record<Language, readonly Rule[]>>> = { ar: inOrder(arabicRules) }

/** Undefined if the rule has no words in this language. */
export const translateRule = (language: Language, message: string): string | undefined => {
  const rules = rulesIn[language]
  if (rules === undefined) return message
  for (const { pattern, words } of rules) {
    const found = pattern.exec(message)
    if (found !== null) return fillText(words, { ...found.groups })
  }
  return undefined
}

export const refusalWords = ({ texts, language }: View, message: string): string =>
  translateRule(language, message) ?? fillText(texts.staff.refusedOther, { message })
