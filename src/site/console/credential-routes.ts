// An app's secrets and keys: created and shown once, listed, revoked after confirmation.

import { isScope } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import { createKey, listKeys, type NewKey, revokeKey } from '../../apps/keys.ts'
import { createSecret, listSecrets, revokeSecret } from '../../apps/secrets.ts'
import { findAppKeys, setAppKeys } from '../../apps/signing-keys.ts'
import { notFound } from '../../http/not-found.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { showWithCopies } from '../pieces/copy/copy.ts'
import { fill } from '../pieces/fill.ts'
import { appPath } from './app-frame.ts'
import { askRevokeSecret } from './ask-revoke-secret.ts'
import { credentialsPage, type KeyTyped } from './credentials-page.ts'
import { readLimit } from './key-limit/field.ts'
import { addKeyLimitRoutes } from './key-limit/routes.ts'
import { chosenId, createOnce } from './one-time-form.ts'
import { actorOf, type ConsoleParts, ownApp, parameterOf, refusalOf } from './parts.ts'
import { shownOncePage } from './shown-once-page.ts'
import type { SigningTyped } from './signing/part.ts'
import { readKeys } from './signing/read-keys.ts'

const DAY_MS = 86_400_000
const expiryDays: Readonly<Record<string, number>> = { '30d': 30, '90d': 90, '1y': 365 }

const news = ({ view, query }: SignedInVisit): string | undefined => {
  const done = query.text('done')
  if (done === 'keys') return view.texts.signing.saved
  if (done === 'key-limit') return view.texts.keyLimit.saved
  if (done === 'no-keys') return view.texts.signing.stopped
  if (done === 'created-before') return view.texts.credentials.createdBefore
  if (done === 'secret-revoked') return view.texts.console.secretRevokedNotice
  return done === 'key-revoked' ? view.texts.console.keyRevokedNotice : undefined
}

const createCredential = (app: App, create: () => Promise<Answer>): Promise<Answer> =>
  createOnce(`${appPath(app.id, 'credentials')}?done=created-before`, create)

const showCredentials = async (
  { database }: ConsoleParts,
  visit: SignedInVisit,
  { app, keyTyped, typed }: { readonly app: App; readonly keyTyped?: KeyTyped; readonly typed?: SigningTyped },
): Promise<Answer> => {
  const [secrets, keys] = [await listSecrets(database, app.id), await listKeys(database, app.id)]
  const signing = { keys: await findAppKeys(database, app.id), typed }
  const shown = { app, secrets, keys, now: new Date(), done: news(visit), keyTyped, signing }
  const faulty = keyTyped !== undefined || typed !== undefined
  return showWithCopies(credentialsPage(visit.view, shown), { status: faulty ? 422 : 200 })
}

const acceptSigningKeys = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const read = await readKeys(visit.form, parts)
  if (read.kind === 'faulty') return showCredentials(parts, visit, { app, typed: read.typed })
  await setAppKeys(parts.database, { appId: app.id, actor: actorOf(visit), ...read.keys })
  return redirectTo(`${appPath(app.id, 'credentials')}?done=keys`)
}

const acceptNoSigningKeys = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await setAppKeys(parts.database, { appId: app.id, actor: actorOf(visit), jwks: null, jwksUri: null })
  return redirectTo(`${appPath(app.id, 'credentials')}?done=no-keys`)
}

const acceptSecret = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  return createCredential(app, async () => {
    const value = await createSecret(parts.database, { appId: app.id, actor: actorOf(visit), id: chosenId(visit) })
    return showWithCopies(shownOncePage(visit.view, { app, kind: 'secret', value }))
  })
}

const expiryOf = (choice: string): Date | undefined => {
  const days = expiryDays[choice]
  return days === undefined ? undefined : new Date(Date.now() + days * DAY_MS)
}

const makeKey = (
  parts: ConsoleParts,
  visit: SignedInVisit,
  { app, requestsPerMinute }: { readonly app: App; readonly requestsPerMinute: number | undefined },
): Promise<NewKey> =>
  createKey(parts.database, {
    id: chosenId(visit),
    appId: app.id,
    actor: actorOf(visit),
    name: visit.form.text('key_name'),
    environment: 'live',
    scopes: visit.form.list('key_scopes').filter(isScope),
    expiresAt: expiryOf(visit.form.text('expiry')),
    requestsPerMinute,
  })

const keyTyped = ({ form }: SignedInVisit): Omit<KeyTyped, 'limit'> => ({
  name: form.text('key_name'),
  scopes: form.list('key_scopes'),
  expiry: form.text('expiry'),
})

const acceptKey = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const typed = keyTyped(visit)
  const read = readLimit(visit.form)
  if (read.kind === 'faulty') return showCredentials(parts, visit, { app, keyTyped: { ...typed, limit: read.typed } })
  const { requestsPerMinute } = read
  return createCredential(app, async () => {
    try {
      const { key } = await makeKey(parts, visit, { app, requestsPerMinute })
      return showWithCopies(shownOncePage(visit.view, { app, kind: 'key', value: key }))
    } catch (error) {
      refusalOf(error)
      const limit = { value: String(requestsPerMinute ?? ''), isFaulty: false }
      const scopeFault = visit.view.texts.appFaults.missing.scopes
      return showCredentials(parts, visit, { app, keyTyped: { ...typed, limit, scopeFault } })
    }
  })
}

const acceptTestKey = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const input = { appId: app.id, actor: actorOf(visit), name: '', environment: 'test' as const, scopes: [] }
  return createCredential(app, async () => {
    const { key } = await createKey(parts.database, { ...input, id: chosenId(visit) })
    return showWithCopies(shownOncePage(visit.view, { app, kind: 'key', value: key }))
  })
}

const askSecret = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  return askRevokeSecret(parts, visit, {
    appId: app.id,
    actionFor: secretId => appPath(app.id, `secrets/${secretId}/revoke`),
    cancel: appPath(app.id, 'credentials'),
  })
}

const acceptRevokeSecret = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const secretId = parameterOf(visit, 'item')
  await revokeSecret(parts.database, { appId: app.id, actor: actorOf(visit), secretId })
  return redirectTo(`${appPath(app.id, 'credentials')}?done=secret-revoked`)
}

const askRevokeKey = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const key = (await listKeys(parts.database, app.id)).find(({ id }) => id === parameterOf(visit, 'item'))
  if (key === undefined || key.revokedAt !== null) throw notFound()
  const { credentials } = visit.view.texts
  return showPage(
    confirmPage(visit.view, {
      title: credentials.revokeKeyTitle,
      text: fill(credentials.revokeKeyText, { name: key.name, hint: key.hint }),
      action: appPath(app.id, `keys/${key.id}/revoke`),
      button: credentials.revoke,
      cancel: appPath(app.id, 'credentials'),
      section: 'console',
    }),
  )
}

const acceptRevokeKey = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  await revokeKey(parts.database, { appId: app.id, actor: actorOf(visit), keyId: parameterOf(visit, 'item') })
  return redirectTo(`${appPath(app.id, 'credentials')}?done=key-revoked`)
}

export const addCredentialRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn('/console/apps/:id/credentials', async visit =>
    showCredentials(parts, visit, { app: await ownApp(parts, visit) }),
  )
  routes.postSignedIn('/console/apps/:id/secrets', visit => acceptSecret(parts, visit))
  routes.postSignedIn('/console/apps/:id/keys', visit => acceptKey(parts, visit))
  routes.postSignedIn('/console/apps/:id/signing-keys', visit => acceptSigningKeys(parts, visit))
  routes.postSignedIn('/console/apps/:id/signing-keys/stop', visit => acceptNoSigningKeys(parts, visit))
  routes.postSignedIn('/console/apps/:id/test-key', visit => acceptTestKey(parts, visit))
  routes.getSignedIn('/console/apps/:id/secrets/:item/revoke', visit => askSecret(parts, visit))
  routes.postSignedIn('/console/apps/:id/secrets/:item/revoke', visit => acceptRevokeSecret(parts, visit))
  addKeyLimitRoutes(routes, parts)
  routes.getSignedIn('/console/apps/:id/keys/:item/revoke', visit => askRevokeKey(parts, visit))
  routes.postSignedIn('/console/apps/:id/keys/:item/revoke', visit => acceptRevokeKey(parts, visit))
}
