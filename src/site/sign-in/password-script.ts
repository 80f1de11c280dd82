// Pages on which somebody types a password → the script that can show it.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import type { View } from '../frame/view.ts'
import { type PasswordParts, passwordField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'

export const passwordScript: Asset = createAsset(
  'passwords.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/passwords.js', import.meta.url)),
)

/** For the head of the page. */
export const passwordHead: Html = html`<script src="${passwordScript.path}" defer></script>`

/** With a button that shows the password. */
export const shownPasswordField = ({ texts: { signIn } }: View, parts: Omit<PasswordParts, 'below'>): Html =>
  passwordField({
    ...parts,
    below: html`<button type="button" class="link-button show-password" hidden aria-controls="${parts.id ?? parts.name}" data-hide="${signIn.hidePassword}">${signIn.showPassword}</button>`,
  })
