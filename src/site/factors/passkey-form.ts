// Options for an authenticator → a form that our script shows where the browser has passkeys, and sends with their answer.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../frame/assets.ts'
import type { FormValues } from '../frame/form-body.ts'
import { type PageAnswer, showPage } from '../frame/page-reply.ts'
import type { View } from '../frame/view.ts'
import { antiForgeryField } from '../pieces/form.ts'
import { attributes, type Html, html } from '../pieces/html.ts'

export const passkeyScript: Asset = createAsset(
  'passkey.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/passkey.js', import.meta.url)),
)

/** For the head of the page. */
export const passkeyHead: Html = html`<script src="${passkeyScript.path}" defer></script>`

export interface PasskeyFormParts {
  readonly action: string
  /** As the library made them. */
  readonly options: object
  readonly ceremony: 'create' | 'get'
  readonly hidden?: Readonly<Record<string, string | undefined>>
  readonly fields: Html
  /** Also offered in the field for the email address. */
  readonly autofill?: boolean
}

export const passkeyForm = (view: View, parts: PasskeyFormParts): Html => {
  const { passkeyFailed, passkeyKnown } = view.texts.factors
  const hidden = Object.entries({ ...parts.hidden, response: '' }).filter(([, value]) => value !== undefined)
  return html`<form${attributes({
    method: 'post',
    action: parts.action,
    hidden: true,
    class: 'passkey',
    'data-passkey': parts.ceremony,
    'data-options': JSON.stringify(parts.options),
    'data-autofill': parts.autofill,
  })} novalidate>${antiForgeryField(view)}${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="fault" role="alert" hidden data-fault="${passkeyFailed}" data-known="${passkeyKnown}"></p>
${parts.fields}</form>`
}

/** The page may run our own scripts, which fetch nothing. */
export const showWithPasskeys = (
  page: Html,
  options: Partial<Pick<PageAnswer, 'status' | 'formTargets'>> = {},
): PageAnswer => showPage(page, { ...options, scriptAsks: ["'none'"] })

/** The authenticator's answer, as our script sent it; undefined if it is not even JSON. */
export const passkeyAnswer = <Response extends object>(form: FormValues): Response | undefined => {
  try {
    const answer: unknown = JSON.parse(form.text('response'))
    const isAnswer = typeof answer === 'object' && answer !== null && 'response' in answer && 'id' in answer
    return isAnswer ? (answer as unknown as Response) : undefined
  } catch {
    return undefined
  }
}
