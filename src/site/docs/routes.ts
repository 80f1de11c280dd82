// GET /docs… → guides, reference, error codes and the search.
import type { FastifyInstance } from 'fastify'
import { type Language, languages } from '../../accounts/languages.ts'
import type { Model } from '../../catalog/model.ts'
import type { Database } from '../../db/database.ts'
import { notFound } from '../../http/not-found.ts'
import { REQUESTS_PER_MINUTE } from '../../sandbox/request-limit.ts'
import { type PageAnswer, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import { type PublicAnswer, publicFile } from '../frame/public-reply.ts'
import { addPublicPages } from '../frame/public-routes.ts'
import type { Visit } from '../frame/visit.ts'
import type { Html } from '../pieces/html.ts'
import { docsPage, searchResults } from './docs-page.ts'
import { createDocumentation, type DocsDocument, type Documentation } from './documents.ts'
import { type GuideFacts, guideValues } from './guide-values.ts'
import { markdownPath } from './markdown-page.ts'
import { filledInNotice, fillSamples, findOwnApps, hasPlaces } from './own-app.ts'
import { createReference } from './reference.ts'
import { docsTexts } from './texts.ts'

export interface DocsParts {
  readonly pages: PageFrame
  readonly sandboxUrl: string
  readonly database: Database
  /** The current documentation: its reference follows the structure of the database. */
  readonly documentation: () => Documentation
}

const LONGEST_SEARCH = 200

/** The script of a page asks the sandbox, and nobody else. */
const show = (page: Html, { sandboxUrl }: DocsParts): PageAnswer =>
  showPage(page, { scriptAsks: [new URL(sandboxUrl).origin] })

const forReader = async (parts: DocsParts, visit: Visit, found: DocsDocument) => {
  const { path } = found
  const body = found.body()
  const own = hasPlaces(body) ? await findOwnApps(parts.database, visit) : undefined
  return own === undefined ? { body } : { body: fillSamples(body, own), filledIn: filledInNotice(visit, path, own) }
}

const showDocument = async (parts: DocsParts, visit: Visit): Promise<PageAnswer> => {
  const { contents, find } = parts.documentation().in[visit.view.language]
  const path = new URL(visit.request.url, 'http://local').pathname.replace(/\/$/, '')
  const found = find(path)
  if (found === undefined) throw notFound()
  const input = {
    ...found,
    sections: found.sections(),
    ...(await forReader(parts, visit, found)),
    contents,
    sandboxUrl: parts.sandboxUrl,
    markdownPath: found.markdown === undefined ? undefined : markdownPath(path, found.language),
  }
  return show(docsPage(visit.view, input), parts)
}

const showSearch = async (parts: DocsParts, { view, query }: Visit): Promise<PageAnswer> => {
  const words = query.text('q').slice(0, LONGEST_SEARCH)
  const { language } = view
  const { contents, search } = parts.documentation().in[language]
  const input = {
    contents,
    path: '/docs/search',
    title: docsTexts[language].search,
    body: searchResults(language, words, (await search())(words)),
    language,
    sandboxUrl: parts.sandboxUrl,
    words,
  }
  return show(docsPage(view, input), parts)
}

/** It follows the structure of the database. */
const MAX_AGE = 300

const showMarkdown = ({ documentation }: DocsParts, path: string, language: Language = 'en'): PublicAnswer => {
  const found = documentation().in[language].find(path)
  if (found?.markdown === undefined || found.language !== language) throw notFound()
  return publicFile('text/markdown; charset=utf-8', found.markdown, { maxAge: MAX_AGE })
}

type Facts = Omit<GuideFacts, 'sandboxRequestsPerMinute'>

/** The documentation with this installation's values; its reference follows the structure of the database. */
export const createDocumentationSource = (
  facts: Facts,
  current: () => { readonly version: string; readonly model: Model },
): (() => Documentation) => {
  const all = { ...facts, sandboxRequestsPerMinute: REQUESTS_PER_MINUTE }
  const values = { en: guideValues(all, 'en'), ar: guideValues(all, 'ar') }
  let made: { readonly version: string; readonly documentation: Documentation } | undefined
  return () => {
    const { version, model } = current()
    if (made?.version === version) return made.documentation
    const documentation = createDocumentation(values, createReference(model))
    made = { version, documentation }
    return documentation
  }
}

const addFiles = (server: FastifyInstance, parts: DocsParts): Promise<void> =>
  addPublicPages(server, parts.pages, routes => {
    routes.get('/docs/:page.md', ({ parameters }) => showMarkdown(parts, `/docs/${parameters.text('page')}`))
    for (const language of languages.filter(one => one !== 'en'))
      routes.get(`/docs/${language}/:page.md`, ({ parameters }) =>
        showMarkdown(parts, `/docs/${parameters.text('page')}`, language),
      )
    routes.get('/docs/reference/:table.md', ({ parameters }) =>
      showMarkdown(parts, `/docs/reference/${parameters.text('table')}`),
    )
    routes.get('/llms.txt', () =>
      publicFile('text/plain; charset=utf-8', parts.documentation().llms(), { maxAge: MAX_AGE }),
    )
  })

export const addDocs = async (server: FastifyInstance, parts: DocsParts): Promise<void> => {
  await addFiles(server, parts)
  await addPages(server, parts.pages, routes => {
    routes.get('/docs', visit => showDocument(parts, visit))
    routes.get('/docs/search', visit => showSearch(parts, visit))
    routes.get('/docs/*', visit => showDocument(parts, visit))
  })
}
