// The keys of an app → the part of its credentials page where they are set, or given up for secrets.
import type { App } from '../../../apps/app.ts'
import type { AppKeys } from '../../../apps/signing-keys.ts'
import { mayDo } from '../../../apps/team/roles.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { codeBlock } from '../../pieces/data.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import type { Texts } from '../../texts/texts.ts'
import { appPath } from '../app-frame.ts'

type SigningFault = keyof Texts['signing']['faults']

export interface SigningTyped {
  readonly jwks: string
  readonly jwksUri: string
  readonly fault: SigningFault
}

export interface SigningParts {
  readonly app: App
  readonly keys: AppKeys
  readonly typed?: SigningTyped | undefined
}

const keysForm = (view: View, { app, typed }: SigningParts): Html => {
  const { signing, common } = view.texts
  const fault = typed && signing.faults[typed.fault]
  const atAddress = typed?.fault === 'not_web_address'
  return form(view, {
    action: appPath(app.id, 'signing-keys'),
    fields: html`${textArea({ name: 'jwks', label: signing.jwks, hint: signing.jwksHint, value: typed?.jwks ?? '', fault: atAddress ? undefined : fault, code: true, rows: 6 })}
${textField({ name: 'jwks_uri', label: signing.jwksUri, hint: signing.jwksUriHint, value: typed?.jwksUri ?? '', fault: atAddress ? fault : undefined, optional: common.optional, attributes: { dir: 'ltr', inputmode: 'url' } })}
${actions(submitButton({ text: signing.save }))}`,
  })
}

const shownKeys = (view: View, { jwks, jwksUri }: AppKeys): Html =>
  codeBlock(jwksUri ?? JSON.stringify(jwks, null, 2), view.texts.signing.jwks)

const stopForm = (view: View, app: App): Html =>
  form(view, {
    action: appPath(app.id, 'signing-keys/stop'),
    fields: actions(submitButton({ text: view.texts.signing.stop, look: 'danger' })),
  })

export const signingPart = (view: View, parts: SigningParts): Html => {
  const { signing } = view.texts
  const { app, keys } = parts
  if (app.kind === 'public' || app.state === 'suspended') return nothing
  const keyed = keys.jwks !== null || keys.jwksUri !== null
  const develops = mayDo(app.role, 'develop')
  return html`<section class="card"><h2>${signing.heading}</h2><p class="soft">${signing.text}</p>
${keyed && html`${notice({ tone: 'info', text: signing.active })}${shownKeys(view, keys)}`}
${develops && html`${keyed && stopForm(view, app)}${keysForm(view, parts)}`}</section>`
}
