// GET /docs… → guides, reference, error codes and the search.
import type { FastifyInstance } from 'fastify'
import type { Model } from '../../catalog/model.ts'
import { notFound } from '../../http/not-found.ts'
import { REQUESTS_PER_MINUTE } from '../../sandbox/request-limit.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import { type PublicAnswer, publicFile } from '../frame/public-reply.ts'
import { addPublicPages } from '../frame/public-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { docsPage, searchResults } from './docs-page.ts'
import { createDocumentation, type Documentation } from './documents.ts'
import { type GuideFacts, guideValues } from './guide-values.ts'
import { markdownPath } from './markdown-page.ts'
import { createReference } from './reference.ts'

export interface DocsParts {
  readonly pages: PageFrame
  /** The current documentation: its reference follows the structure of the database. */
  readonly documentation: () => Documentation
}

const LONGEST_SEARCH = 200

const showDocument = ({ documentation }: DocsParts, { view, request }: Visit) => {
  const { contents, find } = documentation()
  const path = new URL(request.url, 'http://local').pathname.replace(/\/$/, '')
  const found = find(path)
  if (found === undefined) throw notFound()
  const { title, body, markdown } = found
  const file = markdown === undefined ? undefined : markdownPath(path)
  return showWithCopies(docsPage(view, { contents, path, title, body, markdownPath: file }))
}

const showSearch = ({ documentation }: DocsParts, { view, query }: Visit) => {
  const { contents, search } = documentation()
  const words = query.text('q').slice(0, LONGEST_SEARCH)
  const body = searchResults(words, search(words))
  return showWithCopies(docsPage(view, { contents, path: '/docs/search', title: 'Search', body, words }))
}

/** It follows the structure of the database. */
const MAX_AGE = 300

const showMarkdown = ({ documentation }: DocsParts, path: string): PublicAnswer => {
  const markdown = documentation().find(path)?.markdown
  if (markdown === undefined) throw notFound()
  return publicFile('text/markdown; charset=utf-8', markdown, { maxAge: MAX_AGE })
}

type Facts = Omit<GuideFacts, 'sandboxRequestsPerMinute'>

/** The documentation with this installation's values; its reference follows the structure of the database. */
export const createDocumentationSource = (
  facts: Facts,
  current: () => { readonly version: string; readonly model: Model },
): (() => Documentation) => {
  const values = guideValues({ ...facts, sandboxRequestsPerMinute: REQUESTS_PER_MINUTE })
  let made: { readonly version: string; readonly documentation: Documentation } | undefined
  return () => {
    const { version, model } = current()
    if (made?.version !== version)
      made = { version, documentation: createDocumentation(values, createReference(model)) }
    return made.documentation
  }
}

const addFiles = (server: FastifyInstance, parts: DocsParts): Promise<void> =>
  addPublicPages(server, parts.pages, routes => {
    routes.get('/docs/:page.md', ({ parameters }) => showMarkdown(parts, `/docs/${parameters.text('page')}`))
    routes.get('/docs/reference/:table.md', ({ parameters }) =>
      showMarkdown(parts, `/docs/reference/${parameters.text('table')}`),
    )
    routes.get('/llms.txt', () =>
      publicFile('text/plain; charset=utf-8', parts.documentation().llms, { maxAge: MAX_AGE }),
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
