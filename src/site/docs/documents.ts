// Guides, error codes and the reference → every page of the documentation by its path, and a search index over them, in each language.
import type { Language } from '../../accounts/languages.ts'
import { once } from '../../base/once.ts'
import type { Html } from '../pieces/html.ts'
import { type DocsContents, guidePath } from './docs-contents.ts'
import { docsOverview } from './docs-page.ts'
import { type Guide, type GuideValues, readErrorCodes, readGuides } from './guides.ts'
import { llmsText } from './llms-text.ts'
import { markdownFor } from './markdown-page.ts'
import type { ReferencePage } from './reference.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createDocumentSearch, type DocumentSearch, type SearchableDocument } from './search-docs.ts'
import { docsTexts } from './texts.ts'

export interface DocsDocument extends SearchableDocument {
  readonly body: () => Html
  /** Of the text. */
  readonly language: Language
  /** As a file, for programs; the overview is a list of links and has none. */
  readonly markdown: string | undefined
}

/** What a reader of one language finds. The reference and the list of error codes are in English. */
interface DocumentationIn {
  readonly contents: DocsContents
  /** Its index is made for the first who search. */
  search(): Promise<DocumentSearch>
  find(path: string): DocsDocument | undefined
}

export interface Documentation {
  readonly in: Readonly<Record<Language, DocumentationIn>>
  /** What a language model should know first (llmstxt.org). */
  readonly llms: () => string
}

const overviewIn = (contents: DocsContents, language: Language): DocsDocument => ({
  path: '/docs',
  title: docsTexts[language].title,
  body: once(() => docsOverview(contents, language)),
  sections: () => [],
  rows: () => [],
  language,
  markdown: undefined,
})

const guidePage = (guide: Guide, baseUrl: string, language: Language): DocsDocument => ({
  ...guide,
  path: guidePath(guide),
  language,
  markdown: markdownFor(guide.markdown, baseUrl, language),
})

const documentationIn = (
  language: Language,
  values: GuideValues,
  reference: readonly DocsDocument[],
): DocumentationIn => {
  const guides = readGuides(values, language)
  const contents: DocsContents = { guides, reference }
  const pages = [...guides.map(guide => guidePage(guide, values.base_url ?? '', language)), ...reference]
  const byPath = new Map([...pages, overviewIn(contents, language)].map(page => [page.path, page]))
  return { contents, search: once(() => createDocumentSearch(pages)), find: path => byPath.get(path) }
}

/** Made again when the structure of the database changes: titles at once, each text when it is opened. */
export const createDocumentation = (
  values: Readonly<Record<Language, GuideValues>>,
  reference: readonly ReferencePage[],
): Documentation => {
  const toDocument = ({ path, title, markdown }: ReferencePage): DocsDocument => ({
    path,
    ...renderMarkdown(markdown, { texts: docsTexts.en, title }),
    language: 'en',
    markdown: markdownFor(markdown, values.en.base_url ?? '', 'en'),
  })
  const errorCodes = toDocument({
    path: '/docs/error-codes',
    title: docsTexts.en.errorCodes,
    markdown: readErrorCodes(),
  })
  const tables = reference.map(toDocument)
  const listed = (language: Language): DocsDocument[] => [
    ...tables,
    { ...errorCodes, title: docsTexts[language].errorCodes },
  ]
  const english = documentationIn('en', values.en, listed('en'))
  return {
    in: { en: english, ar: documentationIn('ar', values.ar, listed('ar')) },
    llms: once(() => llmsText(english.contents, values.en)),
  }
}
