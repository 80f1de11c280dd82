import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Language, languages } from '../../accounts/languages.ts'
import { docsTexts } from '../docs/texts.ts'
import { explorerTexts } from '../explorer/texts.ts'
import { landingTexts } from '../landing/texts.ts'
import { placesOf } from '../pieces/fill.ts'
import { textsFor } from './texts.ts'

type Leaves = string | Branch | undefined
type Branch = { readonly [name: string]: Leaves } | readonly Leaves[]

const textsIn = (language: Language): Branch => ({
  ...textsFor(language),
  docs: docsTexts[language],
  explorer: explorerTexts[language],
  landing: landingTexts[language],
})

const pluralNames = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

const isPlural = (value: Branch): value is { readonly other: string } =>
  'other' in value && typeof value.other === 'string' && Object.keys(value).every(name => pluralNames.has(name))

/** Plural forms count as one text: languages have different ones. */
const flatten = (tree: Branch, path = ''): [string, string][] =>
  Object.entries<Leaves>(tree).flatMap(([name, value = '']) => {
    if (typeof value === 'string') return [[`${path}${name}`, value] as [string, string]]
    return isPlural(value) ? [[`${path}${name}`, value.other]] : flatten(value, `${path}${name}/`)
  })

/** The forms of every text with a count. */
const pluralsOf = (tree: Branch): { readonly other: string }[] =>
  Object.values<Leaves>(tree).flatMap(value => {
    if (typeof value !== 'object') return []
    return isPlural(value) ? [value] : pluralsOf(value)
  })

/** Arabic says these numbers in words: يومان is two days. */
const saysNumber = (language: string, form: string): boolean =>
  language === 'ar' && ['zero', 'one', 'two'].includes(form)

test('every plural form contains the count, and what the others contain', () => {
  for (const language of languages) {
    for (const forms of pluralsOf(textsIn(language))) {
      const places = placesOf(String(forms.other)).sort()
      assert.ok(places.includes('count'), String(forms.other))
      const others = places.filter(place => place !== 'count')
      for (const [form, text] of Object.entries(forms)) {
        const own = placesOf(String(text)).sort()
        const expected = saysNumber(language, form) && !own.includes('count') ? others : places
        assert.deepEqual(own, expected, String(text))
      }
    }
  }
})

const english = flatten(textsIn('en'))
const pathsOf = (texts: readonly [path: string, text: string][]): string[] => texts.map(([path]) => path).sort()

for (const language of languages) {
  const texts = flatten(textsIn(language))

  test(`every text has the same placeholders in English and in ${language}`, () => {
    const translated = new Map(texts)
    for (const [path, text] of english)
      assert.deepEqual(placesOf(translated.get(path) ?? '').sort(), placesOf(text).sort(), path)
  })

  test(`the catalogue of ${language} contains the same texts as the English one, none of them empty`, () => {
    assert.deepEqual(pathsOf(texts), pathsOf(english))
    for (const [path, text] of texts) assert.notEqual(text.trim(), '', path)
  })
}
