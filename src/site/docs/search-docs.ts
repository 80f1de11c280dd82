// Search terms → matching sections of guides and reference, best first.
import MiniSearch from 'minisearch'
import { fewWords } from '../../base/few-words.ts'
import { inSlices } from '../../base/in-slices.ts'
import type { DocumentSection } from './document-sections.ts'
import { searchTerm } from './search-terms.ts'

export interface SearchableDocument {
  readonly path: string
  readonly title: string
  readonly sections: () => readonly DocumentSection[]
  readonly rows: () => readonly DocumentSection[]
}

export interface SearchHit {
  readonly path: string
  /** The page, and the section if it is another. */
  readonly page: string
  readonly section: string
  /** Some words around the first match. */
  readonly excerpt: string
}

export type DocumentSearch = (words: string) => readonly SearchHit[]

const MOST_HITS = 20
const EXCERPT_BEFORE = 60
const EXCERPT_LENGTH = 220

interface Entry extends DocumentSection {
  readonly path: string
  readonly page: string
}

const entriesOf = ({ path, title, sections, rows }: SearchableDocument): Entry[] =>
  [...sections(), ...rows()].map(section => ({
    ...section,
    page: title,
    path: section.id === '' ? path : `${path}#${section.id}`,
  }))

const excerptOf = (text: string, terms: readonly string[]): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const words = [...flat.matchAll(/[^\s\p{P}]+/gu)]
  const first = words.find(([word]) => terms.includes(searchTerm(word)))?.index ?? 0
  const from = Math.max(0, first - EXCERPT_BEFORE)
  const piece = flat.slice(from, from + EXCERPT_LENGTH)
  return `${from > 0 ? '…' : ''}${piece}${from + EXCERPT_LENGTH < flat.length ? '…' : ''}`
}

const separateWords = MiniSearch.getDefault('tokenize') as (text: string) => string[]

/** Whoever writes the whole name of a field, a table or an error code means that one. */
const isNamed = (entry: Entry | undefined, words: string): boolean =>
  entry !== undefined && [entry.title, entry.page].includes(words.trim().toLowerCase())

export const createDocumentSearch = async (documents: readonly SearchableDocument[]): Promise<DocumentSearch> => {
  const listed = await inSlices(documents, entriesOf)
  const entries = new Map(listed.flat().map(entry => [entry.path, entry]))
  // Most words come again and again, and finding the term of one takes longer than adding it.
  const terms = new Map<string, string>()
  const termOf = (word: string): string => {
    const term = terms.get(word) ?? searchTerm(word)
    terms.set(word, term)
    return term
  }
  const index = new MiniSearch<Entry>({
    idField: 'path',
    fields: ['page', 'title', 'text'],
    processTerm: termOf,
    searchOptions: { boost: { page: 4, title: 3 }, prefix: true, fuzzy: term => (term.length > 4 ? 0.2 : false) },
  })
  await index.addAllAsync([...entries.values()])
  terms.clear()
  return words =>
    index
      .search(words, {
        combineWith: 'AND',
        tokenize: text => fewWords(separateWords(text).map(searchTerm)),
        processTerm: term => term,
        boostDocument: id => (isNamed(entries.get(String(id)), words) ? 10 : 1),
      })
      .slice(0, MOST_HITS)
      .flatMap(({ id, terms }) => {
        const entry = entries.get(String(id))
        if (entry === undefined) return []
        return [{ path: entry.path, page: entry.page, section: entry.title, excerpt: excerptOf(entry.text, terms) }]
      })
}
