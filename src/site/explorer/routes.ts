// GET {sandbox_url}/ and {base_url}/explorer → the explorer, opened with an example or with the query in the URL.
import type { FastifyInstance } from 'fastify'
import { listAppsOfMember } from '../../apps/app.ts'
import { mayDo } from '../../apps/team/roles.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'
import { points } from '../../http/charges/charge.ts'
import { publicTestKey } from '../../sandbox/public-test-key.ts'
import { type FormValues, formValues } from '../frame/form-body.ts'
import { pageHeaders, redirectTo, showPage } from '../frame/page-reply.ts'
import { addPages, type PageFrame } from '../frame/page-routes.ts'
import { publicViewOf } from '../frame/public-routes.ts'
import { rememberReturn } from '../frame/return-address.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { type ExampleQuery, exampleQueries } from './example-queries.ts'
import { type Endpoint, type ExplorerInput, explorerPage, explorerPolicy } from './explorer-page.ts'
import type { Saving } from './panel.ts'
import { explorerTexts } from './texts.ts'

interface ExplorerUrls {
  readonly baseUrl: string
  readonly sandboxUrl: string
  readonly clock: Clock
}

export interface SandboxExplorerParts extends ExplorerUrls {
  readonly pages: Pick<PageFrame, 'production'>
}

export interface ExplorerParts extends ExplorerUrls {
  readonly pages: PageFrame
  readonly database: Database
}

const LONGEST_QUERY = 20_000

/** A query in the URL is shown, never run automatically. */
const openingQuery = (examples: readonly ExampleQuery[], given: FormValues): string => {
  const query = given.exact('query').slice(0, LONGEST_QUERY)
  const example = examples.find(({ name }) => name === given.text('example')) ?? examples[0]
  return query === '' ? (example?.query ?? '') : query
}

type Opened = Pick<ExplorerInput, 'endpoints' | 'saving'> & { readonly given: FormValues }

const inputOf = ({ baseUrl, clock }: ExplorerUrls, { language }: View, opened: Opened): ExplorerInput => {
  const { given, endpoints, saving } = opened
  const examples = exampleQueries(clock.now().toISOString().slice(0, 10), explorerTexts[language].examples)
  return { baseUrl, endpoints, examples, query: openingQuery(examples, given), testKey: publicTestKey, saving }
}

const sandboxEndpoint = ({ sandboxUrl }: ExplorerUrls, { language }: View): Endpoint => ({
  name: explorerTexts[language].sandbox,
  url: `${sandboxUrl}/v1/graphql`,
})

/** The same for everyone: this host knows nobody. */
export const addSandboxExplorer = (server: FastifyInstance, parts: SandboxExplorerParts): void => {
  const page = { config: { charge: points(5) } }
  server.get('/', page, async (request, reply) => {
    const view = publicViewOf(request, parts.pages, ['example', 'query'])
    const endpoints = [sandboxEndpoint(parts, view)]
    const saving: Saving = { kind: 'elsewhere', explorerUrl: `${parts.baseUrl}/explorer` }
    const input = inputOf(parts, view, { endpoints, saving, given: formValues(request.query) })
    return reply
      .headers(pageHeaders(parts.pages.production))
      .header('vary', 'accept-language')
      .header('content-security-policy', explorerPolicy(endpoints))
      .send(explorerPage(view, input).text)
  })
  // Where it is on the main host.
  server.get('/explorer', page, async (request, reply) =>
    reply.redirect(`/${request.url.slice('/explorer'.length)}`, 308),
  )
}

const savingOf = async ({ database }: ExplorerParts, { session }: Visit): Promise<Saving> => {
  if (session === undefined) return { kind: 'signed-out' }
  const apps = await listAppsOfMember(database, session.user.id)
  return {
    kind: 'apps',
    apps: apps.map(({ id, name, role }) => ({ id, name, maySave: mayDo(role, 'develop') })),
  }
}

/** Can also query the live data, with a credential. */
export const addMainExplorer = (server: FastifyInstance, parts: ExplorerParts): Promise<void> =>
  addPages(server, parts.pages, routes => {
    routes.get('/explorer', async visit => {
      const { view, query: given } = visit
      const live = { name: explorerTexts[view.language].live, url: `${parts.baseUrl}/v1/graphql` }
      const endpoints = [sandboxEndpoint(parts, view), live]
      const input = inputOf(parts, view, { endpoints, given, saving: await savingOf(parts, visit) })
      return showPage(explorerPage(view, input), { policy: explorerPolicy(endpoints) })
    })
    // The explorer is for everyone, so it says itself where one comes back to.
    routes.get('/explorer/sign-in', visit => {
      rememberReturn(parts.pages.visits, visit, '/explorer')
      return redirectTo('/sign-in')
    })
  })
