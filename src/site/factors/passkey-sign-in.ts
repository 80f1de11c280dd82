// What an authenticator is asked for when somebody signs in, and the form that sends its answer.
import { passkeyRequest } from '../../accounts/passkeys/use-passkey.ts'
import type { View } from '../frame/view.ts'
import type { Visit } from '../frame/visit.ts'
import { type Html, html } from '../pieces/html.ts'
import type { AccountParts } from '../sign-in/account-parts.ts'
import { passkeyForm } from './passkey-form.ts'

export const PASSKEY_SIGN_IN = '/sign-in/passkey'

export const purposeOf = ({ binding }: Visit) => ({ purpose: 'sign_in', binding }) as const

export interface SignInOptions {
  readonly options: object
  readonly request: string | undefined
  readonly autofill: boolean
}

/** Undefined if passkeys cannot be used here, or this person has none. */
export const signInOptions = ({ accounts }: AccountParts, visit: Visit, userId?: string): Promise<object | undefined> =>
  passkeyRequest(accounts, purposeOf(visit), userId)

export const passkeySignIn = (view: View, { options, request, autofill }: SignInOptions): Html =>
  passkeyForm(view, {
    action: PASSKEY_SIGN_IN,
    options,
    ceremony: 'get',
    hidden: { request },
    autofill,
    fields: html`<input type="submit" class="button full" value="${view.texts.factors.passkeyAgain}">`,
  })
