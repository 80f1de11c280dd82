// The review desk's decisions about the hosts of apps that describe themselves.
import { decideHost, hostStates, listHosts } from '../../../apps/hosts.ts'
import { notFound } from '../../../http/not-found.ts'
import { actorOf, type ConsoleParts, refusalOf } from '../../console/parts.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { reviewing } from '../../frame/rights.ts'
import { hostsPage } from './hosts-page.ts'

const HOSTS_PATH = '/review/hosts'

const show = async ({ database }: ConsoleParts, { view, query }: SignedInVisit, refusal?: string): Promise<Answer> => {
  const page = hostsPage(view, { hosts: await listHosts(database), done: query.text('done') === 'decided', refusal })
  return showPage(page, { status: refusal === undefined ? 200 : 422 })
}

const decide = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const { form } = visit
  const state = hostStates.find(name => name === form.text('state'))
  if (state === undefined || state === 'new') throw notFound()
  const words = form.text('words').slice(0, 2000)
  const decision = { host: form.text('host'), state, scopes: form.list('scopes'), words, actor: actorOf(visit) }
  try {
    await decideHost(parts.database, decision)
    return redirectTo(`${HOSTS_PATH}?done=decided`)
  } catch (error) {
    return show(parts, visit, refusalOf(error))
  }
}

export const addReviewHostRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn(
    HOSTS_PATH,
    reviewing(visit => show(parts, visit)),
  )
  routes.postSignedIn(
    HOSTS_PATH,
    reviewing(visit => decide(parts, visit)),
  )
}
