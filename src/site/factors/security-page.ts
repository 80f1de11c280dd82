// What an account has besides its password → the page that adds and removes it.
import type { DeviceLine } from '../../accounts/factors/devices.ts'
import type { FactorState } from '../../accounts/factors/factor-state.ts'
import { accountPage } from '../account/account-frame.ts'
import { browserName } from '../account/browser-name.ts'
import { SECURITY_PAGE } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { dayOf } from '../pieces/data.ts'
import { fill, fillCount, fillText } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { type LinkedParts, providersCard } from '../providers/provider-pages.ts'
import { type PasskeyState, passkeysCard } from './passkey-pages.ts'

const newsWords = {
  app_added: 'appAdded',
  app_removed: 'appRemoved',
  forgotten: 'deviceForgotten',
  passkey_added: 'passkeyAdded',
  passkey_named: 'passkeyNamed',
  passkey_removed: 'passkeyRemoved',
  passkey_last: 'passkeyLast',
  password_off: 'passwordOffDone',
  expired: 'setUpExpired',
} as const

/** What came of linking an account elsewhere. */
const providerNews = {
  provider_linked: 'linked',
  provider_unlinked: 'unlinked',
  provider_taken: 'taken',
  provider_last: 'last',
  provider_away: 'away',
  provider_refused: 'refused',
  provider_denied: 'denied',
  provider_unknown: 'unknown',
} as const

export type SecurityNews = keyof typeof newsWords | keyof typeof providerNews

export const isSecurityNews = (text: string): text is SecurityNews =>
  Object.hasOwn(newsWords, text) || Object.hasOwn(providerNews, text)

export interface SecurityParts {
  readonly state: FactorState
  readonly passkeys: PasskeyState
  readonly linked: LinkedParts
  readonly devices: readonly DeviceLine[]
  readonly hasFactor: boolean
  /** The role needs a factor that is not there yet. */
  readonly required: boolean
  readonly news: SecurityNews | undefined
}

const appCard = (view: View, { appSince }: FactorState): Html => {
  const { factors } = view.texts
  const begin = form(view, {
    action: `${SECURITY_PAGE}/app/begin`,
    fields: submitButton(
      appSince === undefined ? { text: factors.appSetUp, look: 'primary' } : { text: factors.appReplace },
    ),
  })
  const remove = linkButton({
    href: `${SECURITY_PAGE}/app/remove`,
    text: factors.appRemove,
    label: factors.appRemoveNamed,
    look: 'danger',
  })
  return html`<section class="card"><h2>${factors.appHeading}</h2><p>${factors.appText}</p>
${appSince !== undefined && html`<p>${fill(factors.appSince, { date: dayOf(view, appSince) })}</p>`}
${appSince === undefined ? begin : actions(begin, remove)}</section>`
}

const codesCard = (view: View, { recoveryCodes }: FactorState): Html => {
  const { factors } = view.texts
  const left = fillCount(view.language, factors.codesLeft, recoveryCodes)
  return html`<section class="card"><h2>${factors.codesHeading}</h2><p>${factors.codesText}</p>
${recoveryCodes < 3 ? notice({ tone: 'warn', text: left }) : html`<p>${left}</p>`}
${form(view, { action: `${SECURITY_PAGE}/codes`, fields: submitButton({ text: factors.codesRenew }) })}</section>`
}

const deviceLine = (view: View, device: DeviceLine): Html => {
  const { factors } = view.texts
  const browser = browserName(view, device.userAgent)
  return html`<li><div><h3>${browser}</h3><p class="soft">${fill(factors.deviceUntil, { date: dayOf(view, device.rememberedUntil) })}</p></div>
${form(view, {
  action: `${SECURITY_PAGE}/devices/${device.id}/forget`,
  fields: submitButton({
    text: factors.deviceForget,
    size: 'small',
    label: fillText(factors.deviceForgetNamed, { browser }),
  }),
})}</li>`
}

const devicesCard = (view: View, devices: readonly DeviceLine[]): Html => {
  const { factors } = view.texts
  return html`<section class="card"><h2>${factors.devicesHeading}</h2><p>${factors.devicesText}</p>
${
  devices.length === 0
    ? html`<p class="soft">${factors.devicesNone}</p>`
    : html`<ul class="plain-list rows">${devices.map(device => deviceLine(view, device))}</ul>`
}</section>`
}

const good: readonly SecurityNews[] = ['provider_linked', 'provider_unlinked']
const warned: readonly SecurityNews[] = ['expired', 'passkey_last']

const isOfProvider = (news: SecurityNews): news is keyof typeof providerNews => Object.hasOwn(providerNews, news)

const newsWordsOf = (view: View, news: SecurityNews): Html =>
  isOfProvider(news)
    ? notice({ tone: good.includes(news) ? 'good' : 'warn', text: view.texts.providers[providerNews[news]] })
    : notice({ tone: warned.includes(news) ? 'warn' : 'good', text: view.texts.factors[newsWords[news]] })

const newsNotice = (view: View, { news, required }: SecurityParts): Html =>
  html`${news !== undefined && newsWordsOf(view, news)}${
    required && notice({ tone: 'warn', text: view.texts.factors.required })
  }`

export const securityPage = (view: View, parts: SecurityParts): Html =>
  accountPage(view, {
    section: 'security',
    title: view.texts.factors.title,
    text: view.texts.factors.text,
    news: newsNotice(view, parts),
    main: html`${passkeysCard(view, parts.passkeys)}${providersCard(view, parts.linked)}${appCard(view, parts.state)}${parts.hasFactor && codesCard(view, parts.state)}${parts.hasFactor && devicesCard(view, parts.devices)}`,
  })
