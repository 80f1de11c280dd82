// GET /docs… → guides, reference, error codes and the search.
import type { FastifyInstance } from 'fastify'
import type { Model } from '../../catalog/model.ts'
import { notFound } from '../../http/not-found.ts'
import { REQUESTS_PER_MINUTE } from '../../sandbox/request-limit.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import type { Visit } from '../frame/visit.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { docsPage, searchResults } from './docs-page.ts'
import { createDocumentation, type Documentation } from './documents.ts'
import { type GuideFacts, guideValues } from './guide-values.ts'
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
  return showWithCopies(docsPage(view, { contents, path, title: found.title, body: found.body }))
}

const showSearch = ({ documentation }: DocsParts, { view, query }: Visit) => {
  const { contents, search } = documentation()
  const words = query.text('q').slice(0, LONGEST_SEARCH)
  const body = searchResults(words, search(words))
  return showWithCopies(docsPage(view, { contents, path: '/docs/search', title: 'Search', body, words }))
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

export const addDocs = (server: FastifyInstance, parts: DocsParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    routes.get('/docs', visit => showDocument(parts, visit))
    routes.get('/docs/search', visit => showSearch(parts, visit))
    routes.get('/docs/*', visit => showDocument(parts, visit))
  })
