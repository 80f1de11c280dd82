// Who has to show again who they are, and for what → the page that asks for their second factor, password or provider.
import type { FactorState } from '../../accounts/factors/factor-state.ts'
import type { CodeKind } from '../../accounts/factors/limit-codes.ts'
import { AGAIN_PAGE, HELD_FIELD } from '../frame/fresh-first.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, passwordField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { type ProviderChoice, providerButtons } from '../providers/provider-buttons.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { framed } from '../sign-in/link-pages.ts'
import { codeForms } from './code-forms.ts'
import { passkeyForm, passkeyHead } from './passkey-form.ts'

export type Wrong = CodeKind | 'password' | 'passkey' | 'provider' | undefined

/** Where the proof is sent, and the form that waits for it. */
export interface AgainTarget {
  readonly action: string
  /** Sealed. Without it the person came here from a link, and returns to it. */
  readonly held?: string | undefined
}

interface AgainState extends FactorState {
  readonly hasFactor: boolean
  readonly hasPassword: boolean
  /** Providers at which this person has an account that is linked. */
  readonly choices: readonly ProviderChoice[]
  /** For an authenticator; undefined if this person has no passkey. */
  readonly passkey: object | undefined
}

interface Asked {
  readonly state: AgainState
  readonly target: AgainTarget
  readonly wrong: Wrong
}

const hiddenFor = ({ held }: AgainTarget, kind: string) => ({ [HELD_FIELD]: held, kind })

const passwordForm = (view: View, { target, wrong }: Asked): Html => {
  const fault = wordsOf(view, { password: wrong === 'password' ? 'password_wrong' : undefined }).password
  return form(view, {
    action: target.action,
    hidden: hiddenFor(target, 'password'),
    fields: [
      passwordField({
        name: 'password',
        label: view.texts.account.currentPassword,
        fault,
        autocomplete: 'current-password',
      }),
      submitButton({ text: view.texts.factors.againButton, look: 'primary', size: 'full' }),
    ],
  })
}

const passkeyPart = (view: View, target: AgainTarget, options: object): Html =>
  passkeyForm(view, {
    action: target.action,
    options,
    ceremony: 'get',
    hidden: hiddenFor(target, 'passkey'),
    fields: submitButton({ text: view.texts.factors.passkeyAgain, look: 'primary', size: 'full' }),
  })

/** The provider is visited in another tab, so that what was typed stays in this one. */
const elsewhere = (view: View, target: AgainTarget): Html =>
  html`<p class="soft">${view.texts.providers.againElsewhere}</p>${form(view, {
    action: target.action,
    hidden: hiddenFor(target, 'provider'),
    fields: submitButton({ text: view.texts.factors.againButton, look: 'primary', size: 'full' }),
  })}`

const providersPart = (view: View, { state: { choices }, target }: Asked): Html => {
  const buttons = providerButtons(view, {
    choices,
    text: view.texts.providers.againWith,
    actionOf: name => `${AGAIN_PAGE}/with/${name}`,
    newTab: target.held !== undefined,
  })
  return html`<div class="providers">${buttons}${target.held !== undefined && elsewhere(view, target)}</div>`
}

/** For an account without a second factor: its password, or a provider by which the person signs in. */
const oneFactor = (view: View, asked: Asked): Html => {
  const { hasPassword, choices } = asked.state
  return html`${hasPassword && passwordForm(view, asked)}${choices.length > 0 && providersPart(view, asked)}${
    !hasPassword &&
    html`<p class="aside">${view.texts.providers.noPassword} <a href="/forgot-password">${view.texts.signIn.forgot}</a></p>`
  }`
}

const codesPart = (view: View, { state, target, wrong }: Asked): Html => {
  const { factors } = view.texts
  return codeForms(view, {
    action: target.action,
    hidden: { [HELD_FIELD]: target.held },
    hasApp: state.appSince !== undefined,
    wrong: wrong === 'totp' || wrong === 'recovery' ? wrong : undefined,
    buttons: { totp: factors.againButton, recovery: factors.againRecovery },
  })
}

export const againPage = (view: View, asked: Asked): Html => {
  const { factors, providers } = view.texts
  const { state, target, wrong } = asked
  return framed(
    view,
    factors.againTitle,
    html`<p>${factors.againText}</p>${target.held !== undefined && html`<p class="soft">${factors.againKept}</p>`}${
      wrong === 'passkey' && notice({ tone: 'bad', text: factors.passkeyFailed })
    }${wrong === 'provider' && notice({ tone: 'bad', text: providers.againFailed })}${
      state.passkey !== undefined && passkeyPart(view, target, state.passkey)
    }${state.hasFactor ? codesPart(view, asked) : oneFactor(view, asked)}`,
    state.passkey && passkeyHead,
  )
}

/** In the tab in which a provider was visited: the form waits in another. */
export const confirmedPage = (view: View): Html => {
  const { factors } = view.texts
  return framed(view, factors.confirmedTitle, html`<p>${factors.confirmedText}</p>`)
}
