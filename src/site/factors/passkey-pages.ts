// The passkeys of an account → their card on the security page, the page of one of them, and the page that adds one.
import type { Passkey } from '../../accounts/passkeys/stored-passkeys.ts'
import { accountPage } from '../account/account-frame.ts'
import { SECURITY_PAGE } from '../frame/page-routes.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { dayOf, momentOf } from '../pieces/data.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { passkeyForm, passkeyHead } from './passkey-form.ts'

const PASSKEYS = `${SECURITY_PAGE}/passkeys`

export interface PasskeyState {
  /** Whether passkeys can be used at this address. */
  readonly available: boolean
  readonly passkeys: readonly Passkey[]
  readonly hasPassword: boolean
}

const usedWords = (view: View, { createdAt, lastUsedAt }: Passkey): Html => {
  const { factors } = view.texts
  const added = fill(factors.passkeySince, { date: dayOf(view, createdAt) })
  return lastUsedAt === null
    ? added
    : html`${added}<br>${fill(factors.passkeyUsed, { date: momentOf(view, lastUsedAt) })}`
}

const passkeyLine = (view: View, passkey: Passkey): Html => {
  const { factors } = view.texts
  const label = fillText(factors.passkeyChangeNamed, { name: passkey.name })
  return html`<li><div><h3><bdi>${passkey.name}</bdi></h3><p class="soft">${usedWords(view, passkey)}</p></div>
${linkButton({ href: `${PASSKEYS}/${passkey.id}`, text: factors.passkeyChange, size: 'small', label })}</li>`
}

const passwordPart = (view: View, { hasPassword, passkeys }: PasskeyState): Html => {
  const { factors } = view.texts
  if (!hasPassword)
    return html`<p class="soft">${passkeys.length > 0 ? factors.passwordIsOff : view.texts.providers.noPassword} <a href="/forgot-password">${view.texts.signIn.forgot}</a></p>`
  return html`${passkeys.length > 0 && html`<p><a href="${SECURITY_PAGE}/password/off">${factors.passwordOff}</a></p>`}`
}

export const passkeysCard = (view: View, state: PasskeyState): Html => {
  const { factors } = view.texts
  if (!state.available) return html``
  const look = state.passkeys.length === 0 ? 'primary' : 'plain'
  return html`<section class="card"><h2>${factors.passkeysHeading}</h2><p>${factors.passkeysText}</p>
${state.passkeys.length > 0 && html`<ul class="plain-list rows">${state.passkeys.map(passkey => passkeyLine(view, passkey))}</ul>`}
${actions(linkButton({ href: `${PASSKEYS}/new`, text: factors.passkeyAdd, look }))}${passwordPart(view, state)}</section>`
}

const nameField = (view: View, value: string): Html =>
  textField({
    name: 'name',
    label: view.texts.factors.passkeyName,
    hint: view.texts.factors.passkeyNameHint,
    value,
    attributes: { maxlength: 100, autocomplete: 'off' },
  })

export interface NewPasskeyParts {
  readonly options: object
  readonly name: string
  readonly refused: boolean
}

export const newPasskeyPage = (view: View, { options, name, refused }: NewPasskeyParts): Html => {
  const { factors, common } = view.texts
  const buttons = actions(
    submitButton({ text: factors.passkeyCreate, look: 'primary' }),
    linkButton({ href: SECURITY_PAGE, text: common.cancel }),
  )
  return accountPage(view, {
    section: 'security',
    title: factors.passkeyAdd,
    head: passkeyHead,
    news: refused ? notice({ tone: 'bad', text: factors.passkeyRefused }) : undefined,
    main: html`<section class="card"><p>${factors.passkeyAddText}</p>
${passkeyForm(view, { action: `${PASSKEYS}/new`, options, ceremony: 'create', fields: html`${nameField(view, name)}${buttons}` })}
<noscript><p class="notice warn">${factors.passkeyNoScript}</p></noscript></section>`,
  })
}

export const passkeyPage = (view: View, passkey: Passkey): Html => {
  const { factors, common } = view.texts
  return accountPage(view, {
    section: 'security',
    title: passkey.name,
    text: passkey.backedUp ? factors.passkeySynced : factors.passkeyOneDevice,
    main: html`<section class="card"><p class="soft">${usedWords(view, passkey)}</p>${form(view, {
      action: `${PASSKEYS}/${passkey.id}/name`,
      fields: [nameField(view, passkey.name), submitButton({ text: common.save, look: 'primary' })],
    })}</section><section class="card"><h2>${factors.passkeyRemove}</h2><p>${factors.passkeyRemoveText}</p>${form(
      view,
      {
        action: `${PASSKEYS}/${passkey.id}/remove`,
        fields: submitButton({ text: factors.passkeyRemove, look: 'danger' }),
      },
    )}</section>`,
  })
}
