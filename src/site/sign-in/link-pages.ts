// The pages that links in mail lead to: confirming an address, choosing a new password; and the form that requests a link.

import { page } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { fill } from '../pieces/fill.ts'
import { form, passwordField, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { wordsOf } from './fault-words.ts'
import { passwordHead, shownPasswordField } from './password-script.ts'
import { withRequest } from './sign-in-page.ts'

export const framed = (view: View, title: string, rest: Html, head?: Html): Html =>
  page(view, {
    title,
    width: 'narrow',
    ...(head === undefined ? {} : { head }),
    main: html`<div class="card">${mark(44, 'card-mark')}<h1>${title}</h1>${rest}</div>`,
  })

/** Lets a password manager know which account the password belongs to. */
const accountField = (email: string): Html =>
  html`<input type="hidden" name="email" autocomplete="username" value="${email}">`

export interface ConfirmAddressParts {
  readonly token: string
  readonly email: string
  readonly request: string | undefined
  readonly wrong: boolean
}

export const confirmAddressPage = (view: View, { token, email, request, wrong }: ConfirmAddressParts): Html => {
  const { signUp, signIn } = view.texts
  const password = {
    name: 'password',
    label: signUp.password,
    fault: wrong ? signUp.confirmWrong : undefined,
    autocomplete: 'current-password',
  }
  return framed(
    view,
    signUp.confirmTitle,
    html`<p>${fill(signUp.confirmText, { email })}</p>${form(view, {
      action: '/confirm',
      hidden: { token, request },
      fields: [
        accountField(email),
        passwordField(password),
        submitButton({ text: signUp.confirmButton, look: 'primary', size: 'full' }),
      ],
    })}<p class="aside"><a href="/forgot-password">${signIn.forgot}</a></p>`,
  )
}

export interface ForgotParts {
  readonly email: string
  readonly fault: string | undefined
  readonly request: string | undefined
}

export const forgotPasswordPage = (view: View, { email, fault, request }: ForgotParts): Html => {
  const { reset, signIn, common } = view.texts
  const field = textField({
    name: 'email',
    label: signIn.email,
    type: 'email',
    value: email,
    fault: wordsOf(view, { email: fault }).email,
    attributes: { autocomplete: 'username', inputmode: 'email', dir: 'ltr' },
  })
  const button = submitButton({ text: reset.button, look: 'primary', size: 'full' })
  return framed(
    view,
    reset.title,
    html`<p>${reset.text}</p>${form(view, { action: '/forgot-password', hidden: { request }, fields: [field, button] })}
<p class="aside"><a href="${withRequest('/sign-in', request)}">${common.signIn}</a></p>`,
  )
}

export interface ResetParts {
  readonly token: string
  readonly email: string
  readonly fault: string | undefined
  /** A change of address was just stopped or undone. */
  readonly stopped: boolean
}

export const resetPasswordPage = (view: View, { token, email, fault, stopped }: ResetParts): Html => {
  const { reset, signUp } = view.texts
  const password = {
    name: 'password',
    label: reset.newPassword,
    hint: signUp.passwordHint,
    fault: wordsOf(view, { password: fault }).password,
    autocomplete: 'new-password',
  }
  return framed(
    view,
    reset.newTitle,
    html`<p>${fill(stopped ? reset.stoppedText : reset.newText, { email: html`<bdi>${email}</bdi>` })}</p>${form(view, {
      action: '/reset-password',
      hidden: { token },
      fields: [
        accountField(email),
        shownPasswordField(view, password),
        submitButton({ text: reset.newButton, look: 'primary', size: 'full' }),
      ],
    })}`,
    passwordHead,
  )
}
