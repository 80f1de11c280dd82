// What was typed so far → the sign-up page.

import { page } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { faultList } from '../pieces/notices.ts'
import { wordsOf } from './fault-words.ts'
import { passwordHead, shownPasswordField } from './password-script.ts'
import { withRequest } from './sign-in-page.ts'

export interface SignUpParts {
  readonly name: string
  readonly email: string
  readonly faults: Readonly<Record<string, string | undefined>>
  readonly request: string | undefined
}

export const signUpPage = (view: View, { name, email, faults: codes, request }: SignUpParts): Html => {
  const { signUp, common } = view.texts
  const faults = wordsOf(view, codes)
  return page(view, {
    title: signUp.title,
    width: 'narrow',
    head: passwordHead,
    main: html`<div class="card">${mark(44, 'card-mark')}<h1>${signUp.title}</h1>
${faultList(view, faults)}
${form(view, {
  action: '/sign-up',
  hidden: { request },
  fields: [
    textField({
      name: 'name',
      label: signUp.name,
      hint: signUp.nameHint,
      value: name,
      fault: faults.name,
      attributes: { autocomplete: 'name', maxlength: 100 },
    }),
    textField({
      name: 'email',
      label: signUp.email,
      hint: signUp.emailHint,
      type: 'email',
      value: email,
      fault: faults.email,
      attributes: { autocomplete: 'email', inputmode: 'email', dir: 'ltr' },
    }),
    shownPasswordField(view, {
      name: 'password',
      label: signUp.password,
      hint: signUp.passwordHint,
      fault: faults.password,
      autocomplete: 'new-password',
    }),
    submitButton({ text: signUp.button, look: 'primary', size: 'full' }),
  ],
})}
<p class="aside">${signUp.haveOne} <a href="${withRequest('/sign-in', request)}">${common.signIn}</a></p></div>`,
  })
}
