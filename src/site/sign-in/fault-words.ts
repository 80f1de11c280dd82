// Error codes of fields → messages in the language of the page.

import type { View } from '../frame/view.ts'
import type { Texts } from '../texts/texts.ts'

type Codes = Readonly<Record<string, string | undefined>>

const isKnown = (texts: Texts['fieldFaults'], code: string): code is keyof Texts['fieldFaults'] =>
  Object.hasOwn(texts, code)

export const wordsOf = (view: View, codes: Codes): Record<string, string | undefined> => {
  const { fieldFaults } = view.texts
  const words = (code: string | undefined): string | undefined =>
    code === undefined ? undefined : isKnown(fieldFaults, code) ? fieldFaults[code] : code
  return Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, words(code)]))
}
