// Where an app is told of sign-outs: the card on its settings page, and what saves it.
import { findLogoutUri, setLogoutUri } from '../../apps/backchannel-logout.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { PageRoutes, SignedInVisit } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { appFrame, appPath } from './app-frame.ts'
import { actorOf, type ConsoleParts, ownApp, refusalOf } from './parts.ts'

export interface SignOutsParts {
  readonly appId: string
  readonly uri: string | undefined
  readonly fault?: string | undefined
}

export const signOutsCard = (view: View, { appId, uri, fault }: SignOutsParts): Html => {
  const { stopApp, common } = view.texts
  const field = textField({
    name: 'backchannel_logout_uri',
    label: stopApp.signOutsUri,
    hint: stopApp.signOutsHint,
    value: uri,
    fault,
    optional: common.optional,
    type: 'url',
    attributes: { dir: 'ltr' },
  })
  return html`<section class="card"><h2>${stopApp.signOutsHeading}</h2><p>${stopApp.signOutsText}</p>${form(view, {
    action: appPath(appId, 'sign-outs'),
    fields: [field, submitButton({ text: common.save })],
  })}</section>`
}

export const readSignOuts = async ({ database }: ConsoleParts, appId: string): Promise<SignOutsParts> => ({
  appId,
  uri: await findLogoutUri(database, appId),
})

const accept = async (parts: ConsoleParts, visit: SignedInVisit): Promise<Answer> => {
  const app = await ownApp(parts, visit)
  const uri = visit.form.text('backchannel_logout_uri')
  const loopback = parts.mode === 'development'
  try {
    await setLogoutUri(parts.database, { appId: app.id, uri, loopback, dial: parts.dial, actor: actorOf(visit) })
    return redirectTo(`${appPath(app.id, 'settings')}?done=sign_outs`)
  } catch (error) {
    refusalOf(error)
    const main = signOutsCard(visit.view, { appId: app.id, uri, fault: visit.view.texts.stopApp.signOutsWrong })
    return showPage(appFrame(visit.view, { app, section: 'settings', done: undefined, main }), { status: 422 })
  }
}

export const addSignOutsRoute = (routes: PageRoutes, parts: ConsoleParts): void =>
  routes.postSignedIn('/console/apps/:id/sign-outs', visit => accept(parts, visit))
