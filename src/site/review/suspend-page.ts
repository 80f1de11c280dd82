// The confirmation before a reviewer suspends an app, with the reason that its owner will read.
import type { App } from '../../apps/app.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { fillTitle } from '../pieces/fill.ts'
import { form, textArea } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { faultList } from '../pieces/notices.ts'

export const suspendPage = (view: View, app: App, fault?: string): Html => {
  const { review, common } = view.texts
  const title = fillTitle(review.suspendTitle, { app: app.name })
  return page(view, {
    title,
    faulty: fault !== undefined,
    section: 'review',
    width: 'narrow',
    main: html`<div class="card"><h1>${title}</h1>${faultList(view, { reason: fault })}<p>${review.suspendText}</p>${form(
      view,
      {
        action: `/review/apps/${app.id}/suspend`,
        fields: html`${textArea({ name: 'reason', label: review.reason, hint: review.reasonHint, fault, rows: 3 })}
${actions(submitButton({ text: review.suspend, look: 'danger' }), linkButton({ text: common.cancel, href: `/review/apps/${app.id}` }))}`,
      },
    )}</div>`,
  })
}
