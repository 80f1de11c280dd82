// A sentence with {placeholders} and their values → text or HTML; each value keeps its own text direction.
import type { Language } from '../../accounts/languages.ts'
import { type PluralForms, pluralForm } from '../../base/in-words.ts'
import { isolate } from '../../base/isolate.ts'
import { type Html, html, rawHtml } from './html.ts'

type Values = Readonly<Record<string, string | number | Html>>

const places = /\{(\w+)\}/g

const asHtml = (value: string | number | Html): Html => (typeof value === 'object' ? value : html`<bdi>${value}</bdi>`)

export const fill = (sentence: string, values: Values): Html => {
  const pieces = sentence.split(places)
  return rawHtml(
    pieces.map((piece, index) => (index % 2 === 0 ? html`${piece}` : asHtml(values[piece] ?? '')).text).join(''),
  )
}

/** The form of the text that agrees with the count, with the count in its place. */
export const fillCount = (language: Language, forms: PluralForms, count: number): Html =>
  fill(pluralForm(count, forms, language), { count })

/** For titles and attributes, which cannot contain elements. */
export const fillText = (sentence: string, values: Readonly<Record<string, string | number>>): string =>
  sentence.replace(places, (_, name: string) => String(values[name] ?? ''))

/** For titles with a name in them, which are also headings: each value keeps its own direction. */
export const fillTitle = (sentence: string, values: Readonly<Record<string, string>>): string =>
  sentence.replace(places, (_, name: string) => isolate(values[name] ?? '', sentence))

export const placesOf = (sentence: string): string[] => [...sentence.matchAll(places)].map(match => match[1] ?? '')
