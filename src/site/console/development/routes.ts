// The development client of an app: what to paste, and its secrets, created and revoked.
import { createSecret, listSecrets, revokeSecret } from '../../../apps/secrets.ts'
import { type Answer, redirectTo } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import { showWithCopies } from '../../pieces/copy/copy.ts'
import { askRevokeSecret } from '../ask-revoke-secret.ts'
import { chosenId, createOnce } from '../one-time-form.ts'
import { actorOf, type ConsoleParts, ownApp, parameterOf } from '../parts.ts'
import { shownOncePage } from '../shown-once-page.ts'
import { developmentPage, developmentPath } from './page.ts'

const newsOf = ({ view, query }: SignedInVisit): string | undefined => {
  const { credentials, development } = view.texts
  const words = { 'created-before': credentials.createdBefore, 'secret-revoked': development.secretRevoked }
  return words[query.text('done') as keyof typeof words]
}

const show = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const secrets = await listSecrets(parts.database, app.developmentId)
  return showWithCopies(developmentPage(visit.view, { ...parts, app, secrets, done: newsOf(visit) }))
}

/** Nobody has to sign in again for it: it opens nothing but invented data. */
const acceptSecret = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  return createOnce(developmentPath(app.id, '?done=created-before'), async () => {
    const input = { appId: app.developmentId, actor: actorOf(visit), id: chosenId(visit) }
    const value = await createSecret(parts.database, input)
    return showWithCopies(shownOncePage(visit.view, { app, kind: 'secret', value, section: 'development' }))
  })
}

const askRevoke = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  return askRevokeSecret(parts, visit, {
    appId: app.developmentId,
    actionFor: secretId => developmentPath(app.id, `/secrets/${secretId}/revoke`),
    cancel: developmentPath(app.id),
  })
}

const acceptRevoke = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const secretId = parameterOf(visit, 'item')
  await revokeSecret(parts.database, { appId: app.developmentId, actor: actorOf(visit), secretId })
  return redirectTo(developmentPath(app.id, '?done=secret-revoked'))
}

export const addDevelopmentRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn('/console/apps/:id/development', visit => show(parts, visit))
  routes.postSignedIn('/console/apps/:id/development/secrets', visit => acceptSecret(parts, visit))
  routes.getSignedIn('/console/apps/:id/development/secrets/:item/revoke', visit => askRevoke(parts, visit))
  routes.postSignedIn('/console/apps/:id/development/secrets/:item/revoke', visit => acceptRevoke(parts, visit))
}
