// What came of a sign-in with another provider → the pages that say what to do, and the card on the security page.
import type { LinkedIdentity } from '../../accounts/providers/linked-identities.ts'
import { SECURITY_PAGE } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { dayOf, momentOf } from '../pieces/data.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { framed } from '../sign-in/link-pages.ts'
import { withRequest } from '../sign-in/sign-in-page.ts'
import { type ProviderChoice, providerButtons } from './provider-buttons.ts'

export const LINKS = `${SECURITY_PAGE}/providers`

export interface StrandedParts {
  /** As on its button. */
  readonly provider: string
  readonly request: string | undefined
}

/** Somebody has an account with this address: they sign in to it, and link the two. */
export const existsPage = (
  view: View,
  { provider, request, email }: StrandedParts & { readonly email: string },
): Html => {
  const { providers, signIn } = view.texts
  return framed(
    view,
    providers.existsTitle,
    html`<p>${fill(providers.existsText, { provider, email: html`<bdi>${email}</bdi>` })}</p>
${linkButton({ href: withRequest('/sign-in', request), text: providers.existsButton, look: 'primary', size: 'full' })}
<p class="aside">${providers.existsForgot} <a href="${withRequest('/forgot-password', request)}">${signIn.forgot}</a></p>`,
  )
}

export const unverifiedPage = (view: View, { provider, request }: StrandedParts): Html => {
  const { providers, signIn, common } = view.texts
  return framed(
    view,
    fillText(providers.unverifiedTitle, { provider }),
    html`<p>${fillText(providers.unverifiedText, { provider })}</p>
${linkButton({ href: withRequest('/sign-up', request), text: signIn.create, look: 'primary', size: 'full' })}
<p class="aside"><a href="${withRequest('/sign-in', request)}">${common.signIn}</a></p>`,
  )
}

export interface LinkedParts {
  readonly choices: readonly ProviderChoice[]
  readonly identities: readonly LinkedIdentity[]
}

/** A provider that is no longer configured is called by its name. */
export const labelOf = (choices: readonly ProviderChoice[], name: string): string =>
  choices.find(choice => choice.name === name)?.label ?? name

const identityLine = (view: View, identity: LinkedIdentity, label: string): Html => {
  const { providers } = view.texts
  return html`<li><div><h3>${label}</h3><p class="soft">${identity.email !== null && html`<bdi>${identity.email}</bdi><br>`}
${fill(providers.linkedSince, { date: dayOf(view, identity.createdAt) })}${
  identity.lastUsedAt !== null && html`<br>${fill(providers.used, { date: momentOf(view, identity.lastUsedAt) })}`
}</p></div>
${form(view, {
  action: `${LINKS}/${identity.id}/unlink`,
  fields: submitButton({
    text: providers.unlink,
    size: 'small',
    label: fillText(providers.unlinkNamed, { provider: label }),
  }),
})}</li>`
}

export const providersCard = (view: View, { choices, identities }: LinkedParts): Html => {
  const { providers } = view.texts
  if (choices.length === 0 && identities.length === 0) return nothing
  return html`<section class="card"><h2>${providers.heading}</h2><p>${providers.text}</p>
${
  identities.length > 0 &&
  html`<ul class="plain-list rows">${identities.map(one => identityLine(view, one, labelOf(choices, one.provider)))}</ul>`
}<div class="providers">${providerButtons(view, { choices, text: providers.linkWith, actionOf: name => `${LINKS}/${name}/link` })}</div></section>`
}
