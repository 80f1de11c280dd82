// /sign-in/again: somebody who is signed in confirms that it is them, and goes on where they were.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type FactorState, readFactorState } from '../../accounts/factors/factor-state.ts'
import type { CodeKind } from '../../accounts/factors/limit-codes.ts'
import { stepUpWithCode, stepUpWithPassword } from '../../accounts/factors/step-up.ts'
import { passkeyRequest, stepUpWithPasskey } from '../../accounts/passkeys/use-passkey.ts'
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import { type PageRoutes, SECURITY_PAGE, type SignedInVisit } from '../frame/page-routes.ts'
import { takeReturn } from '../frame/return-address.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, passwordField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { type AccountParts, browserOf } from '../sign-in/account-parts.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { framed } from '../sign-in/link-pages.ts'
import { codeForms, typedCode } from './code-forms.ts'
import { AGAIN_PAGE } from './fresh.ts'
import { passkeyAnswer, passkeyForm, passkeyHead, showWithPasskeys } from './passkey-form.ts'

type Wrong = CodeKind | 'password' | 'passkey' | undefined

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
    html`<p>${factors.againText}</p>${wrong === 'passkey' && notice({ tone: 'bad', text: factors.passkeyFailed })}${
      state.passkey !== undefined && passkeyPart(view, state.passkey)
    }${state.hasFactor ? codeForms(view, codes) : passwordForm(view, wrong)}`,
    state.passkey && passkeyHead,
  )
}

const purposeOf = ({ binding }: SignedInVisit) => ({ purpose: 'step_up', binding }) as const

const showAgain = async ({ accounts }: AccountParts, visit: SignedInVisit, wrong?: Wrong): Promise<Answer> => {
  const { user, hasFactor } = visit.session
  const state = await readFactorState(accounts.database, user.id)
  const passkey = await passkeyRequest(accounts, purposeOf(visit), user.id)
  const page = againPage(visit.view, { ...state, hasFactor, passkey }, wrong)
  return (passkey === undefined ? showPage : showWithPasskeys)(page, { status: wrong === undefined ? 200 : 422 })
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
  routes.getSignedIn(AGAIN_PAGE, visit => showAgain(parts, visit))
  routes.postSignedIn(AGAIN_PAGE, visit => acceptAgain(parts, visit))
}
