// A new secret or key → the one page that ever shows it.
import type { App } from '../../apps/app.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { codeBlock } from '../pieces/data.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { appFrame, appPath } from './app-frame.ts'

export interface ShownOnceParts {
  readonly app: App
  readonly kind: 'secret' | 'key'
  readonly value: string
  /** Where it was made; the page of credentials, unless it is said. */
  readonly section?: 'credentials' | 'development'
}

const firstQueryForm = (view: View, { app, value }: ShownOnceParts): Html =>
  form(view, {
    action: appPath(app.id, 'start'),
    hidden: { key: value },
    fields: actions(
      submitButton({ text: view.texts.credentials.runWithKey, look: 'primary' }),
      linkButton({ href: appPath(app.id, 'credentials'), text: view.texts.credentials.back }),
    ),
  })

export const shownOncePage = (view: View, parts: ShownOnceParts): Html => {
  const { credentials } = view.texts
  const { app, kind, value, section = 'credentials' } = parts
  const title = kind === 'key' ? credentials.keyShown : credentials.secretShown
  const text = kind === 'key' ? credentials.keyShownText : credentials.secretShownText
  const backTo = section === 'credentials' ? credentials.back : view.texts.development.back
  const back = linkButton({ href: appPath(app.id, section), text: backTo })
  return appFrame(view, {
    app,
    section,
    title,
    main: html`<section class="card"><h2>${title}</h2>${notice({ tone: 'warn', text })}${codeBlock(value, title)}
${kind === 'key' ? firstQueryForm(view, parts) : actions(back)}</section>`,
  })
}
