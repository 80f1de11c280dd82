// A new secret of an endpoint → the one page that ever shows it.
import type { App } from '../../../apps/app.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { codeBlock } from '../../pieces/data.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { appFrame } from '../app-frame.ts'
import { endpointPath } from './webhook-path.ts'

export interface SecretParts {
  readonly app: App
  readonly endpointId: string
  readonly secret: string
}

export const secretPage = (view: View, { app, endpointId, secret }: SecretParts): Html => {
  const { webhooks } = view.texts
  const href = endpointPath(app.id, endpointId)
  return appFrame(view, {
    app,
    section: 'webhooks',
    title: webhooks.secretShown,
    main: html`<section class="card"><h2>${webhooks.secretShown}</h2>${notice({ tone: 'warn', text: webhooks.secretShownText })}
${codeBlock(secret, webhooks.secretShown)}${actions(linkButton({ href, text: webhooks.toEndpoint, look: 'primary' }))}</section>`,
  })
}
