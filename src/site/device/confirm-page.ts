// The request of a device → the page on which a person compares the code, sees who asks from where, and decides.
import type { Client } from '../../oauth/clients/client.ts'
import type { AskingDevice } from '../../oauth/device/device-request.ts'
import { showUserCode } from '../../oauth/device/user-code.ts'
import { appFacts, askedFor, decideButtons } from '../consent/consent-page.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { facts } from '../pieces/data.ts'
import { fill, fillTitle } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { deviceFacts, type Looking } from './device-words.ts'

const shownApp = ({ ownerName, state, development, homePage }: Client): Parameters<typeof appFacts>[1] => ({
  owner: ownerName,
  state,
  development,
  homePage: homePage ?? undefined,
})

/** Where the decision is sent: `request` and `decision` (`allow` or `deny`). */
export const DECIDE_ACTION = '/device/decide'

export const codeToCompare = (view: View, userCode: string): Html =>
  html`<p class="compare">${view.texts.device.compare}<strong class="device-code" dir="ltr">${showUserCode(userCode)}</strong></p>`

export const deviceWarning = ({ texts: { device } }: View): Html =>
  notice({ tone: 'warn', title: device.warningTitle, text: device.warning })

export const confirmDevicePage = (view: View, { request, client }: AskingDevice, looking: Looking): Html => {
  const { device, consent } = view.texts
  return page(view, {
    title: fillTitle(device.confirmTitle, { app: client.name }),
    width: 'narrow',
    main: html`<div class="card">
<div class="asking">${avatar(client.name, client.logo ?? undefined)}<h1>${fill(device.heading, { app: client.name })}</h1></div>
${codeToCompare(view, request.userCode)}${facts(deviceFacts(view, request, looking))}${deviceWarning(view)}
${askedFor(view, request)}${facts(appFacts(view, shownApp(client)))}
${form(view, { action: DECIDE_ACTION, hidden: { request: request.id }, fields: decideButtons(view) })}
<p class="soft">${consent.withdrawHint}</p></div>`,
  })
}
