// Which app asks, for what, and where it redirects → the page on which a person allows or denies it.
import { type Claim, sortClaims } from '../../access/claims.ts'
import { isWriteScope, type Scope, sortScopes } from '../../access/scopes.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { submitButton } from '../pieces/buttons.ts'
import { facts } from '../pieces/data.ts'
import { fill, fillTitle } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, type HtmlPart, html, nothing } from '../pieces/html.ts'
import { type AppState, badge, notice, stateBadge } from '../pieces/notices.ts'
import { outsideLink } from '../pieces/outside-link.ts'

export interface ConsentParts {
  readonly app: {
    readonly name: string
    readonly owner: string
    readonly state: AppState
    /** A development client: nobody has reviewed the app yet. */
    readonly development?: boolean
    /** In the words of its owner. */
    readonly description?: string | undefined
    readonly homePage: string | undefined
    readonly logo: string | undefined
    /** Where it describes itself; undefined for an app that somebody registered. */
    readonly host?: string | undefined
    /** It reaches only what is the person's own. */
    readonly ownRows?: boolean
  }
  /** The app listens on the person's own machine. */
  readonly loopback?: boolean
  /** The host, or for an app on a device the scheme, that the person returns to. */
  readonly returnsTo: string
  readonly scopes: readonly Scope[]
  /** Those of `scopes` that the person has not allowed before, if others were. */
  readonly newScopes?: readonly Scope[]
  /** What userinfo will return besides the identifier: each is named. */
  readonly claims: readonly Claim[]
  readonly newClaims?: readonly Claim[]
  /** The id of the request kept on the server. */
  readonly reference: string
}

/** Where the decision is sent: `request` and `decision` (`allow` or `deny`). */
export const CONSENT_ACTION = '/oauth/consent'

const scopeLine = (view: View, scope: Scope, isNew: boolean): Html => {
  const { title, opens } = view.texts.scopes[scope]
  return html`<li><strong>${title}${isNew && badge(view.texts.consent.newScope, 'warn')}</strong><span>${opens}</span></li>`
}

const scopeList = (view: View, scopes: readonly Scope[], newScopes: readonly Scope[]): Html =>
  html`<ul class="plain-list scopes">${scopes.map(scope => scopeLine(view, scope, newScopes.includes(scope)))}</ul>`

/** What an app asks for. */
export type Asked = Pick<ConsentParts, 'scopes' | 'newScopes' | 'claims' | 'newClaims'>

/** Changing is set apart from reading: it is what people would regret. */
const scopeLists = (view: View, { scopes, newScopes = [] }: Asked): Html => {
  const { consent } = view.texts
  const sorted = sortScopes(scopes)
  const [reading, writing] = [sorted.filter(scope => !isWriteScope(scope)), sorted.filter(isWriteScope)]
  return html`${reading.length > 0 && scopeList(view, reading, newScopes)}
${
  writing.length > 0 &&
  html`<section class="may-change" aria-labelledby="may-change"><h2 id="may-change">${consent.mayChange}</h2>
<p>${consent.mayChangeHint}</p>${scopeList(view, writing, newScopes)}</section>`
}`
}

/** Shows the person's own values, so that nobody has to guess which address is meant. */
const claimLine = (view: View, claim: Claim | 'sub', isNew: boolean): Html => {
  const { consent } = view.texts
  const values = {
    sub: consent.subHint,
    email: html`<bdi>${view.user?.email}</bdi>`,
    name: html`<bdi>${view.user?.name}</bdi>`,
    picture: consent.pictureHint,
  }
  return html`<li><strong>${consent.claims[claim]}${isNew && badge(consent.newScope, 'warn')}</strong><span>${values[claim]}</span></li>`
}

const claimList = (view: View, { claims, newClaims = [] }: Asked): Html =>
  html`<h2>${view.texts.consent.sees}</h2><ul class="plain-list scopes">${claimLine(view, 'sub', false)}${sortClaims(
    claims,
  ).map(claim => claimLine(view, claim, newClaims.includes(claim)))}</ul>`

export const askedFor = (view: View, asked: Asked): Html => html`${scopeLists(view, asked)}
${claimList(view, asked)}`

export const appFacts = (
  view: View,
  { owner, state, development = false, homePage, host }: Omit<ConsentParts['app'], 'name' | 'logo' | 'description'>,
): readonly (readonly [string, HtmlPart])[] => {
  const { consent } = view.texts
  return [
    [consent.madeBy, html`<bdi>${owner}</bdi>`],
    ...(host === undefined
      ? ([[consent.state, development ? badge(consent.development, 'warn') : stateBadge(view, state)]] as const)
      : []),
    ...(homePage === undefined ? [] : ([[consent.homePage, outsideLink(homePage)]] as const)),
  ]
}

export const decideButtons = ({ texts: { consent } }: View): Html => html`<div class="decide">
${submitButton({ text: consent.deny, name: 'decision', value: 'deny' })}
${submitButton({ text: consent.allow, look: 'primary', name: 'decision', value: 'allow' })}</div>`

const decision = (view: View, reference: string): Html =>
  form(view, { action: CONSENT_ACTION, hidden: { request: reference }, fields: decideButtons(view) })

const signedInAs = (view: View, reference: string): Html => {
  if (view.user === undefined) return nothing
  const { consent } = view.texts
  return html`<p class="aside">${fill(consent.signedInAs, { email: view.user.email })}<br>
<a href="/sign-in?request=${encodeURIComponent(reference)}">${consent.otherAccount}</a></p>`
}

/** Whatever an app calls itself, the host is what is known about it. */
const selfDescribed = (view: View, { app, loopback = false }: ConsentParts): Html => {
  const { consent } = view.texts
  if (app.host === undefined) return nothing
  return html`<div class="from-host"><p>${consent.describesItself}</p><p class="host" dir="ltr">${app.host}</p>
<p>${consent.knowHost}</p>${app.ownRows === true && html`<p>${consent.ownOnly}</p>`}</div>${loopback && notice({ tone: 'warn', text: consent.loopback })}`
}

export const consentPage = (view: View, parts: ConsentParts): Html => {
  const { consent } = view.texts
  const { app } = parts
  return page(view, {
    title: fillTitle(consent.title, { app: app.name }),
    width: 'narrow',
    header: 'minimal',
    main: html`<div class="card asks">
<div class="asking">${avatar(app.name, app.logo)}<h1>${fill(consent.heading, { app: app.name })}</h1></div>
${app.description !== undefined && html`<p class="about as-typed" dir="auto">${app.description}</p>`}${app.development === true && notice({ tone: 'info', text: consent.developmentHint })}
${selfDescribed(view, parts)}${askedFor(view, parts)}
${facts([...appFacts(view, app), [consent.returnsTo, html`<strong dir="ltr">${parts.returnsTo}</strong>`]])}
${decision(view, parts.reference)}
<p class="soft">${consent.withdrawHint}</p>
</div>${signedInAs(view, parts.reference)}`,
  })
}
