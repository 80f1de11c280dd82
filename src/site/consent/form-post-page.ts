// The response to an app with `response_mode=form_post` → a page whose form goes there at once; without script, by a button.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import { page } from '../frame/layout.ts'
import { formTargetsFor, type PageAnswer, showPage } from '../frame/page-reply.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { html } from '../pieces/html.ts'

export const formPostScript: Asset = createAsset(
  'form-post.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/form-post.js', import.meta.url)),
)

interface FormPost {
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
}

/** The form has what the app gets and nothing of ours: no anti-forgery token leaves this site. */
export const showFormPost = (view: View, { redirectUri, parameters }: FormPost): PageAnswer => {
  const { consent } = view.texts
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const shown = page(view, {
    title: consent.returning,
    width: 'narrow',
    head: html`<script src="${formPostScript.path}" defer></script>`,
    main: html`<div class="card"><h1>${consent.returning}</h1><form method="post" action="${redirectUri}" data-form-post>${fields}
${submitButton({ text: consent.returnButton, look: 'primary', size: 'full' })}</form></div>`,
  })
  return showPage(shown, { formTargets: formTargetsFor(redirectUri), scriptAsks: ["'none'"] })
}
