// The saved queries of an app, for the explorer's script: listed, read, saved, deleted. Rights are checked where the app is found, and
// once more by the statements themselves.
import {
  deleteSavedQuery,
  findSavedQuery,
  listSavedQueries,
  saveQuery,
  type TeamActor,
} from '../../../apps/saved-queries.ts'
import { notFound } from '../../../http/not-found.ts'
import { type Answer, sendJson } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { actorOf, type ConsoleParts, ownApp, parameterOf } from '../parts.ts'

const teamOf = async (parts: ConsoleParts, visit: SignedInVisit): Promise<TeamActor> => ({
  appId: (await ownApp(parts, visit)).id,
  userId: visit.session.user.id,
  actor: actorOf(visit),
})

const list = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> =>
  sendJson({ queries: await listSavedQueries(parts.database, await teamOf(parts, visit)) })

const read = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const found = await findSavedQuery(parts.database, await teamOf(parts, visit), parameterOf(visit, 'item'))
  if (found === undefined) throw notFound()
  return sendJson(found)
}

const save = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const team = await teamOf(parts, visit)
  const { form } = visit
  const saved = { name: form.text('name'), query: form.exact('query'), variables: form.exact('variables') }
  await saveQuery(parts.database, team, saved)
  return sendJson({ queries: await listSavedQueries(parts.database, team) })
}

const remove = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const team = await teamOf(parts, visit)
  if (!(await deleteSavedQuery(parts.database, team, parameterOf(visit, 'item')))) throw notFound()
  return sendJson({ queries: await listSavedQueries(parts.database, team) })
}

export const addSavedQueryRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  const base = '/console/apps/:id/queries'
  routes.getSignedIn(base, visit => list(parts, visit))
  routes.getSignedIn(`${base}/:item`, visit => read(parts, visit))
  routes.postSignedIn(base, visit => save(parts, visit))
  routes.postSignedIn(`${base}/:item/delete`, visit => remove(parts, visit))
}
