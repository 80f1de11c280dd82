import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explorerTexts } from '../explorer/texts.ts'
import { placesOf } from '../pieces/fill.ts'
import { ar as sharedArabic } from './ar.ts'
import { en as sharedEnglish } from './en.ts'

const en = { ...sharedEnglish, explorer: explorerTexts.en }
const ar = { ...sharedArabic, explorer: explorerTexts.ar }

type Tree = { readonly [name: string]: string | Tree | undefined }

const pluralNames = new Set(['zero', 'one', 'two', 'few', 'many', 'other'])

const isPlural = (value: Tree): value is { readonly other: string } =>
  typeof value.other === 'string' && Object.keys(value).every(name => pluralNames.has(name))

/** Plural forms count as one text: languages have different ones. */
const flatten = (tree: Tree, path = ''): [string, string][] =>
  Object.entries(tree).flatMap(([name, value = '']) => {
    if (typeof value === 'string') return [[`${path}${name}`, value] as [string, string]]
    return isPlural(value) ? [[`${path}${name}`, value.other]] : flatten(value, `${path}${name}/`)
  })

/** The forms of every text with a count. */
const pluralsOf = (tree: Tree): Tree[] =>
  Object.values(tree).flatMap(value => {
    if (typeof value !== 'object') return []
    return isPlural(value) ? [value] : pluralsOf(value)
  })

/** Arabic says these numbers in words: يومان is two days. */
const saysNumber = (language: string, form: string): boolean =>
  language === 'ar' && ['zero', 'one', 'two'].includes(form)

test('every plural form contains the count, and what the others contain', () => {
  for (const [language, texts] of Object.entries({ en, ar })) {
    for (const forms of pluralsOf(texts)) {
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

test('every text has the same placeholders in every language', () => {
  const arabic = new Map(flatten(ar))
  for (const [path, text] of flatten(en)) {
    assert.deepEqual(placesOf(arabic.get(path) ?? '').sort(), placesOf(text).sort(), path)
  }
})

test('the catalogues contain the same texts, none of them empty', () => {
  assert.deepEqual(
    flatten(ar)
      .map(([path]) => path)
      .sort(),
    flatten(en)
      .map(([path]) => path)
      .sort(),
  )
  for (const [path, text] of [...flatten(en), ...flatten(ar)]) assert.notEqual(text.trim(), '', path)
})
