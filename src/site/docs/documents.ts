// Guides, error codes and the reference → every page of the documentation by its path, and a search index over them.
import type { Html } from '../pieces/html.ts'
import { type DocsContents, docsOverview, guidePath } from './docs-page.ts'
import { type GuideValues, readErrorCodes, readGuides } from './guides.ts'
import { llmsText } from './llms-text.ts'
import { markdownFor } from './markdown-page.ts'
import type { ReferencePage } from './reference.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createDocumentSearch, type DocumentSearch, type SearchableDocument } from './search-docs.ts'

interface DocsDocument extends SearchableDocument {
  readonly body: Html
  /** As a file, for programs; the overview is a list of links and has none. */
  readonly markdown: string | undefined
}

export interface Documentation {
  readonly contents: DocsContents
  readonly search: DocumentSearch
  find(path: string): DocsDocument | undefined
  /** What a language model should know first (llmstxt.org). */
  readonly llms: string
}

/** `reference` is rebuilt when the structure of the database changes. */
export const createDocumentation = (values: GuideValues, reference: readonly ReferencePage[]): Documentation => {
  const baseUrl = values.base_url ?? ''
  const toDocument = ({ path, markdown }: ReferencePage): DocsDocument => ({
    path,
    ...renderMarkdown(markdown),
    markdown: markdownFor(markdown, baseUrl),
  })
  const guides = readGuides(values)
  const tables = reference.map(toDocument)
  const errorCodes = { ...toDocument({ path: '/docs/error-codes', markdown: readErrorCodes() }), title: 'Error codes' }
  const contents: DocsContents = { guides, reference: [...tables, errorCodes] }
  const overview = { path: '/docs', title: 'Documentation', body: docsOverview(contents), sections: [] }
  const pages = [...guides.map(guide => toDocument({ path: guidePath(guide), ...guide })), ...tables, errorCodes]
  const byPath = new Map(pages.map(document => [document.path, document]))
  byPath.set(overview.path, { ...overview, markdown: undefined })
  const llms = llmsText(contents, values)
  return { contents, search: createDocumentSearch(pages), find: path => byPath.get(path), llms }
}
