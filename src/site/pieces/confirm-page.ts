// A confirmation page before an action that cannot be undone.

import { page, type Section } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from './buttons.ts'
import { form } from './form.ts'
import { type Html, html } from './html.ts'

export interface ConfirmParts {
  readonly title: string
  readonly text: Html | string
  /** Where the confirmation is posted. */
  readonly action: string
  readonly button: string
  /** Where "Cancel" leads. */
  readonly cancel: string
  /** Where "Cancel" could be misunderstood. */
  readonly cancelText?: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly section?: Section
}

export const confirmPage = (view: View, parts: ConfirmParts): Html =>
  page(view, {
    title: parts.title,
    width: 'narrow',
    ...(parts.section === undefined ? {} : { section: parts.section }),
    main: html`<div class="card"><h1>${parts.title}</h1><p>${parts.text}</p>
${form(view, {
  action: parts.action,
  hidden: parts.hidden ?? {},
  fields: actions(
    submitButton({ text: parts.button, look: 'danger' }),
    linkButton({ text: parts.cancelText ?? view.texts.common.cancel, href: parts.cancel }),
  ),
})}</div>`,
  })
