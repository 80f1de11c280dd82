// An error in plain words → a page that says what happened and what to do next.

import { linkButton } from '../pieces/buttons.ts'
import { type Html, html } from '../pieces/html.ts'
import { page } from './layout.ts'
import { mark } from './mark.ts'
import type { View } from './view.ts'

export interface ErrorParts {
  readonly title: string
  readonly happened: string
  readonly next: string
  /** The id of the log entry. */
  readonly id?: string | undefined
  /** What helps this visitor in particular. */
  readonly more?: Html | undefined
  /** Where the link leads; the start page by default. */
  readonly link?: { readonly href: string; readonly text: string }
}

export const errorPage = (view: View, parts: ErrorParts): Html => {
  const { errors } = view.texts
  const link = parts.link ?? { href: '/', text: errors.toStart }
  return page(view, {
    title: parts.title,
    width: 'narrow',
    main: html`<div class="card">${mark(40, 'card-mark')}<h1>${parts.title}</h1>
<p class="as-typed">${parts.happened}</p>
${parts.more}
<h2>${errors.whatNext}</h2>
<p>${parts.next}</p>
${parts.id && html`<p class="soft">${errors.idLabel}: <code>${parts.id}</code></p>`}
${linkButton(link)}</div>`,
  })
}
