// Search terms → matching sections of guides and reference, best first.
import MiniSearch from 'minisearch'
import type { DocumentSection } from './render-markdown.ts'

export interface SearchableDocument {
  readonly path: string
  readonly title: string
  readonly sections: readonly DocumentSection[]
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

const entriesOf = ({ path, title, sections }: SearchableDocument): Entry[] =>
  sections.map(section => ({
    ...section,
    page: title,
    path: section.id === '' ? path : `${path}#${section.id}`,
  }))

const excerptOf = (text: string, terms: readonly string[]): string => {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const places = terms.map(term => flat.toLowerCase().indexOf(term)).filter(place => place >= 0)
  const start = Math.max(0, Math.min(...places, flat.length) - EXCERPT_BEFORE)
  const from = places.length === 0 ? 0 : start
  const piece = flat.slice(from, from + EXCERPT_LENGTH)
  return `${from > 0 ? '…' : ''}${piece}${from + EXCERPT_LENGTH < flat.length ? '…' : ''}`
}

export const createDocumentSearch = (documents: readonly SearchableDocument[]): DocumentSearch => {
  const entries = new Map(documents.flatMap(entriesOf).map(entry => [entry.path, entry]))
  const index = new MiniSearch<Entry>({
    idField: 'path',
    fields: ['page', 'title', 'text'],
    searchOptions: { boost: { page: 4, title: 3 }, prefix: true, fuzzy: term => (term.length > 4 ? 0.2 : false) },
  })
  index.addAll([...entries.values()])
  return words =>
    index
      .search(words, { combineWith: 'AND' })
      .slice(0, MOST_HITS)
      .flatMap(({ id, terms }) => {
        const entry = entries.get(String(id))
        if (entry === undefined) return []
        return [{ path: entry.path, page: entry.page, section: entry.title, excerpt: excerptOf(entry.text, terms) }]
      })
}
