// Pages on which somebody types a password → the script that can show it.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import type { View } from '../frame/view.ts'
import { type Html, html } from '../pieces/html.ts'

export const passwordScript: Asset = createAsset(
  'passwords.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/passwords.js', import.meta.url)),
)

/** For the head of the page. */
export const passwordHead = ({ texts: { signIn } }: View): Html =>
  html`<script src="${passwordScript.path}" defer data-show="${signIn.showPassword}" data-hide="${signIn.hidePassword}"></script>`
