// An app's overview for its owner: its state, the reviewer's message, next steps, and details.
import type { App } from '../../apps/app.ts'
import type { AppChange } from '../../apps/changes.ts'
import type { NamedMasjid } from '../../apps/masjids.ts'
import { type AppSigns, nextSteps } from '../../apps/next-steps.ts'
import type { ImageStatus } from '../../images/images.ts'
import { isAsked } from '../conversation/is-asked.ts'
import type { View } from '../frame/view.ts'
import { imageFact, imageNotice } from '../picture/image-words.ts'
import { actions, linkButton } from '../pieces/buttons.ts'
import { facts, momentOf } from '../pieces/data.ts'
import { attributes, type Html, type HtmlPart, html, nothing } from '../pieces/html.ts'
import { badge, notice, type Tone } from '../pieces/notices.ts'
import { outsideLink } from '../pieces/outside-link.ts'
import { appFrame, appPath } from './app-frame.ts'
import { boundTokenWords } from './bound-tokens/part.ts'
import { lifetimeWords } from './lifetimes.ts'
import { nextStepsCard } from './next-steps.ts'

export interface OverviewParts {
  readonly app: App
  readonly signs: AppSigns
  readonly masjids: readonly NamedMasjid[]
  readonly change: AppChange | undefined
  /** The logo in force, and the one of a pending change. */
  readonly logos: readonly ImageStatus[]
  readonly done: string | undefined
}

const tones: Readonly<Record<App['state'], Tone>> = {
  pending: 'info',
  approved: 'good',
  rejected: 'warn',
  suspended: 'bad',
}

/** What was just done says of a waiting app that it waits. */
const stateNotice = ({ texts }: View, app: App, done: string | undefined): Html =>
  html`${(done === undefined || app.state !== 'pending') && html`<div class="notice ${tones[app.state]}"><p>${texts.console.stateHelp[app.state]}</p></div>`}
${app.reviewerWords !== undefined && html`<blockquote class="words"><p class="soft">${texts.console.reviewerWords}</p><p class="as-typed" dir="auto">${app.reviewerWords}</p></blockquote>`}`

const askedNotice = ({ texts }: View, app: App): Html =>
  notice({
    tone: 'warn',
    text: html`${texts.conversation.requested} <a href="${appPath(app.id, 'messages')}">${texts.conversation.read}</a>`,
  })

const stateButtons = ({ texts }: View, app: App, signs: AppSigns): Html => {
  const { console } = texts
  if (app.state === 'rejected')
    return actions(linkButton({ href: appPath(app.id, 'edit'), text: console.toEdit, look: 'primary' }))
  if (app.state === 'suspended') return nothing
  if (app.state === 'pending')
    return actions(
      linkButton({ href: appPath(app.id, 'development'), text: console.toDevelopment, look: 'primary' }),
      linkButton({ href: appPath(app.id, 'credentials'), text: console.toCredentials }),
    )
  const asks = nextSteps(app, signs).includes('ask')
  return actions(
    linkButton({ href: appPath(app.id, 'credentials'), text: console.toCredentials, look: asks ? 'plain' : 'primary' }),
    linkButton({ href: appPath(app.id, 'start'), text: console.toStart, look: asks ? 'primary' : 'plain' }),
  )
}

interface ListLook {
  readonly list?: string
  readonly value?: string
}

const codes = (values: readonly string[], none: string, { list = '', value: look }: ListLook): HtmlPart =>
  values.length === 0
    ? html`<span class="soft">${none}</span>`
    : html`<ul class="plain-list ${list}">${values.map(value => html`<li><code${attributes({ class: look })} dir="ltr">${value}</code></li>`)}</ul>`

/** Addresses, each on its line. */
export const codeList = (values: readonly string[], none: string): HtmlPart => codes(values, none, {})

/** Short names side by side, such as scopes. */
export const tagList = (values: readonly string[], none: string): HtmlPart => codes(values, none, { list: 'tags' })

/** With a copy button for each. */
const copiedList = (values: readonly string[], none: string): HtmlPart => codes(values, none, { value: 'select-all' })

export const masjidWords = ({ texts }: View, app: App, masjids: readonly NamedMasjid[]): Html => {
  const { console } = texts
  const named = masjids.map(
    ({ name, city, isOwn }) =>
      html`<li><bdi>${name}</bdi>, <bdi>${city}</bdi> ${isOwn && badge(console.ownMasjid)}</li>`,
  )
  const all = html`<p>${console.allMasjids} ${app.ownAllMasjids && badge(console.ownMasjid)}</p>`
  return html`${app.allMasjids && all}${named.length > 0 && html`<ul class="plain-list">${named}</ul>`}`
}

/** An approved logo is never fetched again: nobody would review what comes then. */
const logoNotices = (view: View, { app, logos }: OverviewParts): Html => {
  const approved = app.state === 'approved' || app.state === 'suspended'
  return html`${logos.map(logo => imageNotice(view, logo, approved && logo.address === app.logo ? 'newAddress' : 'save'))}`
}

const details = (view: View, { app, masjids, logos }: OverviewParts): Html => {
  const { appForm, console, credentials } = view.texts
  const granted = app.scopes.length > 0
  return facts([
    [
      credentials.clientId,
      app.clientId === undefined ? console.none : html`<code class="select-all" dir="ltr">${app.clientId}</code>`,
    ],
    [view.texts.development.clientId, html`<code class="select-all" dir="ltr">${app.developmentClientId}</code>`],
    [appForm.kind, appForm.kinds[app.kind].label],
    [appForm.description, html`<span class="as-typed" dir="auto">${app.description}</span>`],
    ...(app.homePage === undefined ? [] : ([[appForm.homePage, outsideLink(app.homePage)]] as const)),
    ...logos.map(logo => [appForm.logo, imageFact(view, logo)] as const),
    [appForm.redirectUris, copiedList(app.redirectUris, console.none)],
    [
      granted ? console.scopesGranted : console.scopesAsked,
      tagList(granted ? app.scopes : app.requestedScopes, console.none),
    ],
    ...(granted
      ? ([
          [console.plainClaims, tagList(app.plainClaims, console.none)],
          [console.masjids, masjidWords(view, app, masjids)],
        ] as const)
      : []),
    [appForm.idTokenAlgorithm, html`<code dir="ltr">${app.idTokenAlgorithm}</code>`],
    ...(app.kind === 'public'
      ? []
      : ([[appForm.clientAuthentication, appForm.clientAuthentications[app.clientAuthentication]]] as const)),
    [appForm.deviceFlow, appForm.deviceFlows[app.deviceFlow]],
    [view.texts.lifetimes.fact, lifetimeWords(view, app)],
    [view.texts.boundTokens.fact, boundTokenWords(view, app)],
    [console.created, momentOf(view, app.createdAt)],
  ])
}

export const overviewPage = (view: View, parts: OverviewParts): Html => {
  const { app, change, done } = parts
  const { console, stopApp } = view.texts
  return appFrame(view, {
    app,
    section: 'overview',
    done,
    main: html`${isAsked(app, change) && askedNotice(view, app)}${stateNotice(view, app, done)}${change !== undefined && notice({ tone: 'info', text: stopApp.waiting })}${logoNotices(view, parts)}
${nextStepsCard(view, app, parts.signs)}${stateButtons(view, app, parts.signs)}<h2 class="spaced">${console.facts}</h2><div class="card">${details(view, parts)}</div>`,
  })
}
