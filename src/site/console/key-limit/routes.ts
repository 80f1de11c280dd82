// `/console/apps/:id/keys/:item/limit`: the limit of a key, changed while the key is in use.
import type { App } from '../../../apps/app.ts'
import { setKeyLimit } from '../../../apps/key-limit.ts'
import { type ListedKey, listKeys } from '../../../apps/keys.ts'
import { notFound } from '../../../http/not-found.ts'
import { page } from '../../frame/layout.ts'
import { type Answer, redirectTo, showPage } from '../../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../../frame/page-routes.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillTitle } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { appPath } from '../app-frame.ts'
import { actorOf, type ConsoleParts, ownApp, parameterOf } from '../parts.ts'
import { type LimitTyped, limitField, readLimit } from './field.ts'

interface Shown {
  readonly app: App
  readonly key: ListedKey
}

const findShown = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Shown> => {
  const app = await ownApp(parts, visit)
  const key = (await listKeys(parts.database, app.id)).find(({ id }) => id === parameterOf(visit, 'item'))
  if (key === undefined || key.revokedAt !== null) throw notFound()
  return { app, key }
}

const limitPage = (view: View, { app, key }: Shown, typed: LimitTyped): Html => {
  const { keyLimit, common } = view.texts
  const title = fillTitle(keyLimit.title, { name: key.name })
  return page(view, {
    title,
    faulty: typed.isFaulty,
    width: 'narrow',
    section: 'console',
    main: html`<div class="card"><h1>${title}</h1><p class="soft"><code dir="ltr">${key.hint}</code></p><p>${keyLimit.lead}</p>
${form(view, {
  action: appPath(app.id, `keys/${key.id}/limit`),
  fields: html`${limitField(view, typed)}${actions(
    submitButton({ text: keyLimit.save, look: 'primary' }),
    linkButton({ text: common.cancel, href: appPath(app.id, 'credentials') }),
  )}`,
})}</div>`,
  })
}

const show = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const shown = await findShown(parts, visit)
  const value = String(shown.key.requestsPerMinute ?? '')
  return showPage(limitPage(visit.view, shown, { value, isFaulty: false }))
}

const accept = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const shown = await findShown(parts, visit)
  const read = readLimit(visit.form)
  if (read.kind === 'faulty') return showPage(limitPage(visit.view, shown, read.typed), { status: 422 })
  const { requestsPerMinute } = read
  const { app, key } = shown
  await setKeyLimit(parts.database, { appId: app.id, actor: actorOf(visit), keyId: key.id, requestsPerMinute })
  return redirectTo(`${appPath(app.id, 'credentials')}?done=key-limit`)
}

export const addKeyLimitRoutes = (routes: PageRoutes, parts: ConsoleParts): void => {
  routes.getSignedIn('/console/apps/:id/keys/:item/limit', visit => show(parts, visit))
  routes.postSignedIn('/console/apps/:id/keys/:item/limit', visit => accept(parts, visit))
}
