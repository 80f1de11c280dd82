// The pages for a change of email address: confirming it, and stopping or undoing it.
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { fill } from '../pieces/fill.ts'
import { form, passwordField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { framed } from '../sign-in/link-pages.ts'

export interface ConfirmEmailChangeParts {
  readonly token: string
  readonly newEmail: string
  /** The browser has no session of the account. */
  readonly asksPassword: boolean
  readonly fault: string | undefined
}

const address = (email: string): Html => html`<strong><bdi>${email}</bdi></strong>`

export const confirmEmailChangePage = (view: View, parts: ConfirmEmailChangeParts): Html => {
  const { token, newEmail, asksPassword, fault } = parts
  const { account } = view.texts
  const password = passwordField({
    name: 'password',
    label: account.currentPassword,
    hint: account.confirmEmailPassword,
    fault: wordsOf(view, { password: fault }).password,
    autocomplete: 'current-password',
  })
  const button = submitButton({ text: account.confirmEmailButton, look: 'primary', size: 'full' })
  return framed(
    view,
    account.confirmEmailTitle,
    html`<p>${fill(account.confirmEmailText, { email: address(newEmail) })}</p>${form(view, {
      action: '/confirm-email',
      hidden: { token },
      // Without the current address: whoever reads the new address's mail may be a stranger.
      fields: asksPassword ? [password, button] : [button],
    })}`,
  )
}

export interface StopEmailChangeParts {
  readonly token: string
  readonly oldEmail: string
  readonly newEmail: string
  readonly happened: boolean
}

export const stopEmailChangePage = (view: View, parts: StopEmailChangeParts): Html => {
  const { token, oldEmail, newEmail, happened } = parts
  const { account } = view.texts
  const places = { old: address(oldEmail), new: address(newEmail) }
  return framed(
    view,
    happened ? account.takeBackTitle : account.stopTitle,
    html`<p>${fill(happened ? account.takeBackText : account.stopText, places)}</p><p>${account.stopConsequences}</p>${form(
      view,
      {
        action: '/stop-email-change',
        hidden: { token },
        fields: submitButton({
          text: happened ? account.takeBackButton : account.stopButton,
          look: 'primary',
          size: 'full',
        }),
      },
    )}<p class="aside">${account.stopNothing}</p>`,
  )
}
