// A wrong redirect_uri, seen by the app's owner → the error page with the registered ones.
import type { Fault } from '../../base/fault.ts'
import type { OwnerHint } from '../../oauth/authorize/owner-hint.ts'
import { appPath } from '../console/app-frame.ts'
import { codeList } from '../console/overview-page.ts'
import { errorPage } from '../frame/error-page.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'

export const ownerHintPage = (view: View, fault: Fault, { appId, registered }: OwnerHint): Html => {
  const { errors, consent, console } = view.texts
  return errorPage(view, {
    title: errors.badRequest.title,
    happened: fault.message,
    more: html`<h2>${consent.registered}</h2><p class="soft">${consent.registeredHint}</p>${codeList(registered, console.none)}`,
    next: consent.registeredNext,
    link: { href: appPath(appId, 'edit'), text: consent.toSettings },
  })
}
