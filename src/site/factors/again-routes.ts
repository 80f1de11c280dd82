// /sign-in/again: somebody who is signed in confirms that it is them, and goes on where they were.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type FactorState, readFactorState } from '../../accounts/factors/factor-state.ts'
import type { CodeKind } from '../../accounts/factors/limit-codes.ts'
import { stepUpWithCode, stepUpWithPassword } from '../../accounts/factors/step-up.ts'
import { hasPassword } from '../../accounts/passkeys/password-off.ts'
import { passkeyRequest, stepUpWithPasskey } from '../../accounts/passkeys/use-passkey.ts'
import { listIdentities } from '../../accounts/providers/linked-identities.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { takeReturn } from '../frame/return-address.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, passwordField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { choicesOf, type ProviderChoice, providerButtons, providerTargets } from '../providers/provider-buttons.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { framed } from '../sign-in/link-pages.ts'
import { codeForms, typedCode } from './code-forms.ts'
import { AGAIN_PAGE } from './fresh.ts'
import { passkeyAnswer, passkeyForm, passkeyHead, showWithPasskeys } from './passkey-form.ts'

type Wrong = CodeKind | 'password' | 'passkey' | 'provider' | undefined

const passwordForm = (view: View, wrong: Wrong): Html => {
  const fault = wordsOf(view, { password: wrong === 'password' ? 'password_wrong' : undefined }).password
  return form(view, {
    action: AGAIN_PAGE,
    hidden: { kind: 'password' },
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

interface AgainState extends FactorState {
  readonly hasFactor: boolean
  readonly hasPassword: boolean
  /** Providers at which this person has an account that is linked. */
  readonly choices: readonly ProviderChoice[]
  /** For an authenticator; undefined if this person has no passkey. */
  readonly passkey: object | undefined
}

const passkeyPart = (view: View, options: object): Html =>
  passkeyForm(view, {
    action: AGAIN_PAGE,
    options,
    ceremony: 'get',
    hidden: { kind: 'passkey' },
    fields: submitButton({ text: view.texts.factors.passkeyAgain, look: 'primary', size: 'full' }),
  })

/** For an account without a second factor: its password, or a provider by which the person signs in. */
const oneFactor = (view: View, { hasPassword, choices }: AgainState, wrong: Wrong): Html => {
  const { providers } = view.texts
  const buttons = providerButtons(view, {
    choices,
    text: providers.againWith,
    actionOf: name => `${AGAIN_PAGE}/with/${name}`,
  })
  return html`${hasPassword && passwordForm(view, wrong)}${choices.length > 0 && html`<div class="providers">${buttons}</div>`}${
    !hasPassword &&
    html`<p class="aside">${providers.noPassword} <a href="/forgot-password">${view.texts.signIn.forgot}</a></p>`
  }`
}

const againPage = (view: View, state: AgainState, wrong: Wrong): Html => {
  const { factors } = view.texts
  const codes = {
    action: AGAIN_PAGE,
    hasApp: state.appSince !== undefined,
    wrong: wrong === 'totp' || wrong === 'recovery' ? wrong : undefined,
    buttons: { totp: factors.againButton, recovery: factors.againRecovery },
  }
  return framed(
    view,
    factors.againTitle,
    html`<p>${factors.againText}</p>${wrong === 'passkey' && notice({ tone: 'bad', text: factors.passkeyFailed })}${wrong === 'provider' && notice({ tone: 'bad', text: view.texts.providers.againFailed })}${
      state.passkey !== undefined && passkeyPart(view, state.passkey)
    }${state.hasFactor ? codeForms(view, codes) : oneFactor(view, state, wrong)}`,
    state.passkey && passkeyHead,
  )
}

const purposeOf = ({ binding }: SignedInVisit) => ({ purpose: 'step_up', binding }) as const

const showAgain = async ({ accounts }: AccountParts, visit: SignedInVisit, wrong?: Wrong): Promise<Answer> => {
  const { user, hasFactor } = visit.session
  const state = await readFactorState(accounts.database, user.id)
  const passkey = await passkeyRequest(accounts, purposeOf(visit), user.id)
  const linked = new Set((await listIdentities(accounts.database, user.id)).map(({ provider }) => provider))
  const choices = choicesOf(accounts.providers).filter(({ name }) => linked.has(name))
  const known = { ...state, hasFactor, hasPassword: await hasPassword(accounts, user.id), choices, passkey }
  return (passkey === undefined ? showPage : showWithPasskeys)(againPage(visit.view, known, wrong), {
    status: wrong === undefined ? 200 : 422,
    formTargets: providerTargets(accounts.providers),
  })
}

const provePasskey = async (accounts: AccountParts['accounts'], visit: SignedInVisit): Promise<Wrong> => {
  const response = passkeyAnswer<AuthenticationResponseJSON>(visit.form)
  const answer = response && { response, purpose: purposeOf(visit), visit: browserOf(visit) }
  return answer !== undefined && (await stepUpWithPasskey(accounts, visit.session, answer)) ? undefined : 'passkey'
}

const prove = async ({ accounts }: AccountParts, visit: SignedInVisit): Promise<Wrong> => {
  if (!visit.session.hasFactor)
    return (await stepUpWithPassword(accounts, visit.session, visit.form.exact('password'))) ? undefined : 'password'
  if (visit.form.text('kind') === 'passkey') return provePasskey(accounts, visit)
  const code = typedCode(visit)
  return (await stepUpWithCode(accounts, visit.session, { code, visit: browserOf(visit) })) ? undefined : code.kind
}

const acceptAgain = async (parts: AccountParts, visit: SignedInVisit): Promise<Answer> => {
  const wrong = await prove(parts, visit)
  if (wrong !== undefined) return showAgain(parts, visit, wrong)
  return redirectTo(takeReturn(parts.pages.visits, visit, SECURITY_PAGE))
}

export const addAgainRoutes = (routes: PageRoutes, parts: AccountParts): void => {
  routes.getSignedIn(AGAIN_PAGE, visit =>
    showAgain(parts, visit, visit.query.text('done').startsWith('provider_') ? 'provider' : undefined),
  )
  routes.postSignedIn(AGAIN_PAGE, visit => acceptAgain(parts, visit))
}
