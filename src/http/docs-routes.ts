// GET / → the landing page; GET /docs… → guides, reference, error codes and the search over them.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../base/clock.ts'
import type { Model } from '../catalog/model.ts'
import { publicTestKey } from '../sandbox/public-test-key.ts'
import { REQUESTS_PER_MINUTE } from '../sandbox/request-limit.ts'
import { docsPage, searchResults } from '../web/docs/docs-page.ts'
import { createDocumentation, type Documentation } from '../web/docs/documents.ts'
import { type GuideFacts, guideValues } from '../web/docs/guide-values.ts'
import { createReference } from '../web/docs/reference.ts'
import { exampleQueries } from '../web/explorer/example-queries.ts'
import { landingPage } from '../web/landing/landing-page.ts'
import { showPage } from './pages-answer.ts'
import { notFound } from './pages-fault.ts'
import { addPages, type PageFrame } from './pages-routes.ts'
import type { Visit } from './session-visit.ts'

export interface DocsParts {
  readonly pages: PageFrame
  readonly sandboxUrl: string
  readonly clock: Clock
  /** The documentation as it stands now: its reference follows the structure of the database. */
  readonly documentation: () => Documentation
}

const LONGEST_SEARCH = 200

const showLanding = ({ sandboxUrl, clock, documentation }: DocsParts, { view }: Visit) => {
  const query = exampleQueries(clock.now().toISOString().slice(0, 10))[0]?.query ?? ''
  const origin = new URL(sandboxUrl).origin
  return showPage(landingPage(view, { sandboxUrl, query, guides: documentation().contents.guides }), {
    formTargets: [origin],
    scriptAsks: [origin],
  })
}

const showDocument = ({ documentation }: DocsParts, { view, request }: Visit) => {
  const { contents, find } = documentation()
  const path = new URL(request.url, 'http://local').pathname.replace(/\/$/, '')
  const found = find(path)
  if (found === undefined) throw notFound()
  return showPage(docsPage(view, { contents, path, title: found.title, body: found.body }))
}

const showSearch = ({ documentation }: DocsParts, { view, query }: Visit) => {
  const { contents, search } = documentation()
  const words = query.text('q').slice(0, LONGEST_SEARCH)
  const body = searchResults(words, search(words))
  return showPage(docsPage(view, { contents, path: '/docs/search', title: 'Search', body, words }))
}

type Facts = Omit<GuideFacts, 'testKey' | 'sandboxRequestsPerMinute'>

/** The documentation in the words of this installation; its reference follows the structure of the database. */
export const createDocumentationSource = (
  facts: Facts,
  current: () => { readonly version: string; readonly model: Model },
): (() => Documentation) => {
  const values = guideValues({ ...facts, testKey: publicTestKey, sandboxRequestsPerMinute: REQUESTS_PER_MINUTE })
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
    routes.get('/', visit => showLanding(parts, visit))
    routes.get('/docs', visit => showDocument(parts, visit))
    routes.get('/docs/search', visit => showSearch(parts, visit))
    routes.get('/docs/*', visit => showDocument(parts, visit))
  })
