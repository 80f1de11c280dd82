// The accounts of a demonstration → a list with what each may do, and a button that fills in its address and password.
import type { View } from '../frame/view.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'

export interface DemoAccounts {
  readonly accounts: readonly { readonly email: string; readonly role: DemoRole }[]
  readonly password: string
}

export const demoRoles = ['admin', 'reviewer', 'staff', 'developer', 'member'] as const
export type DemoRole = (typeof demoRoles)[number]

/** Buttons are shown by our script; without it, one click selects an address. */
export const demoNotice = (view: View, { accounts, password }: DemoAccounts): Html => {
  const { demoTitle, demoText, demoRoles: roles, demoFill, demoFillOf } = view.texts.signIn
  const account = ({ email, role }: DemoAccounts['accounts'][number]): Html =>
    html`<li><span><code class="select-all" dir="ltr">${email}</code><br><span class="small">${roles[role]}</span></span>
<button type="button" class="button small" hidden data-demo="${email}" data-password="${password}" aria-label="${fillText(demoFillOf, { email })}">${demoFill}</button></li>`
  return html`<div class="notice info"><h2>${demoTitle}</h2>
<p>${fill(demoText, { password: html`<code class="select-all">${password}</code>` })}</p>
<ul class="demo-accounts plain-list">${accounts.map(account)}</ul></div>`
}
