// A secret of an app, or of its development client → the page that asks before it is revoked.
import { listSecrets } from '../../apps/secrets.ts'
import { notFound } from '../../http/not-found.ts'
import { type Answer, showPage } from '../frame/page-reply.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { fill } from '../pieces/fill.ts'
import { type ConsoleParts, parameterOf } from './parts.ts'

export interface RevokedFrom {
  /** Of the app, or of its development client. */
  readonly appId: string
  readonly actionFor: (secretId: string) => string
  readonly cancel: string
}

export const askRevokeSecret = async (
  { database }: ConsoleParts,
  visit: SignedInVisit,
  { appId, actionFor, cancel }: RevokedFrom,
): Promise<Answer> => {
  const secret = (await listSecrets(database, appId)).find(({ id }) => id === parameterOf(visit, 'item'))
  if (secret === undefined) throw notFound()
  const { credentials } = visit.view.texts
  return showPage(
    confirmPage(visit.view, {
      title: credentials.revokeSecretTitle,
      text: fill(credentials.revokeSecretText, { hint: secret.hint }),
      action: actionFor(secret.id),
      button: credentials.revoke,
      cancel,
      section: 'console',
    }),
  )
}
