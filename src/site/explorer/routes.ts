// GET {sandbox_url}/ and {base_url}/explorer → the explorer, opened with an example or with the query in the URL.
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import { publicTestKey } from '../../sandbox/public-test-key.ts'
import { formValues } from '../frame/form-body.ts'
import { pageHeaders } from '../frame/page-reply.ts'
import type { PageFrame } from '../frame/page-routes.ts'
import { type ExampleQuery, exampleQueries } from './example-queries.ts'
import { type Endpoint, explorerPage, explorerPolicy } from './explorer-page.ts'

export interface ExplorerParts {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly pages: Pick<PageFrame, 'production'>
  readonly clock: Clock
}

const LONGEST_QUERY = 20_000

/** A query in the URL is shown, never run automatically. */
const openingQuery = (examples: readonly ExampleQuery[], parameters: unknown): string => {
  const given = formValues(parameters)
  const query = given.exact('query').slice(0, LONGEST_QUERY)
  const example = examples.find(({ name }) => name === given.text('example')) ?? examples[0]
  return query === '' ? (example?.query ?? '') : query
}

const addExplorer = (
  server: FastifyInstance,
  { baseUrl, pages, clock }: ExplorerParts,
  { path, endpoints }: { path: string; endpoints: readonly Endpoint[] },
): void => {
  server.get(path, async (request, reply) => {
    const examples = exampleQueries(clock.now().toISOString().slice(0, 10))
    const query = openingQuery(examples, request.query)
    return reply
      .headers(pageHeaders(pages.production))
      .header('content-security-policy', explorerPolicy(endpoints))
      .send(explorerPage({ baseUrl, endpoints, examples, query, testKey: publicTestKey }).text)
  })
}

const sandboxEndpoint = ({ sandboxUrl }: ExplorerParts): Endpoint => ({
  name: 'the sandbox (invented data)',
  url: `${sandboxUrl}/v1/graphql`,
})

export const addSandboxExplorer = (server: FastifyInstance, parts: ExplorerParts): void => {
  addExplorer(server, parts, { path: '/', endpoints: [sandboxEndpoint(parts)] })
  // Where it is on the main host.
  server.get('/explorer', async (request, reply) => reply.redirect(`/${request.url.slice('/explorer'.length)}`, 308))
}

/** Can also query the live data, with a credential. */
export const addMainExplorer = (server: FastifyInstance, parts: ExplorerParts): void => {
  const live: Endpoint = { name: 'the live data', url: `${parts.baseUrl}/v1/graphql` }
  addExplorer(server, parts, { path: '/explorer', endpoints: [sandboxEndpoint(parts), live] })
}
