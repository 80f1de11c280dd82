// "We have sent you a link": the same page whether the address is known or not.

import { page } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from '../pieces/buttons.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'

export interface CheckMailParts {
  readonly reason: 'sign_up' | 'reset'
  readonly email: string
}

export const checkMailPage = (view: View, { reason, email }: CheckMailParts): Html => {
  const { signUp, reset, common } = view.texts
  const title = reason === 'sign_up' ? signUp.checkTitle : reset.sentTitle
  return page(view, {
    title,
    width: 'narrow',
    main: html`<div class="card">${mark(44, 'card-mark')}<h1>${title}</h1>
<p>${fill(reason === 'sign_up' ? signUp.checkText : reset.sentText, { email })}</p>
<p class="soft">${signUp.checkSpam}</p>
${view.development && linkButton({ href: '/outbox', text: common.outbox })}</div>`,
  })
}
