// The response to an app with `response_mode=form_post` → a page whose form goes there at once; without script, by a button.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import { page } from '../frame/layout.ts'
import { formTargetsFor, type PageAnswer, showPage } from '../frame/page-reply.ts'
import type { View } from '../frame/view.ts'
import { type ButtonParts, submitButton } from '../pieces/buttons.ts'
import { attributes, type Html, html } from '../pieces/html.ts'

export const formPostScript: Asset = createAsset(
  'form-post.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/form-post.js', import.meta.url)),
)

interface FormPost {
  readonly redirectUri: string
  readonly parameters: Readonly<Record<string, string>>
}

/** What the app gets and nothing of ours: no anti-forgery token leaves this site. `sent`: by our script, at once. */
export const formPostFields = (
  { redirectUri, parameters }: FormPost,
  { sent = false, ...button }: Omit<ButtonParts, 'name' | 'value'> & { readonly sent?: boolean },
): Html => {
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${redirectUri}"${attributes({ 'data-form-post': sent })}>${fields}
${submitButton(button)}</form>`
}

export const showFormPost = (view: View, post: FormPost): PageAnswer => {
  const { consent } = view.texts
  const form = formPostFields(post, { text: consent.returnButton, look: 'primary', size: 'full', sent: true })
  const shown = page(view, {
    title: consent.returning,
    width: 'narrow',
    head: html`<script src="${formPostScript.path}" defer></script>`,
    main: html`<div class="card"><h1>${consent.returning}</h1>${form}</div>`,
  })
  return showPage(shown, { formTargets: formTargetsFor(post.redirectUri), scriptAsks: ["'none'"] })
}
