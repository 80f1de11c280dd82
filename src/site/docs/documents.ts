// Guides, error codes and the reference → every page of the documentation by its path, and a search index over them.
import type { Html } from '../pieces/html.ts'
import { type DocsContents, docsOverview, guidePath } from './docs-page.ts'
import { type GuideValues, readErrorCodes, readGuides } from './guides.ts'
import { createDocumentSearch, type DocumentSearch, type SearchableDocument } from './search-docs.ts'

export interface DocsDocument extends SearchableDocument {
  readonly body: Html
}

export interface Documentation {
  readonly contents: DocsContents
  readonly search: DocumentSearch
  find(path: string): DocsDocument | undefined
}

/** `reference` is rebuilt when the structure of the database changes. */
export const createDocumentation = (values: GuideValues, reference: readonly DocsDocument[]): Documentation => {
  const guides = readGuides(values)
  const errorCodes: DocsDocument = { ...readErrorCodes(), path: '/docs/error-codes', title: 'Error codes' }
  const contents: DocsContents = { guides, reference: [...reference, errorCodes] }
  const overview: DocsDocument = { path: '/docs', title: 'Documentation', body: docsOverview(contents), sections: [] }
  const searchable = [...guides.map(guide => ({ path: guidePath(guide), ...guide })), ...reference, errorCodes]
  const byPath = new Map([overview, ...searchable].map(document => [document.path, document]))
  return { contents, search: createDocumentSearch(searchable), find: path => byPath.get(path) }
}
