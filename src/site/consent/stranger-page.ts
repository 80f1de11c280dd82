// A fault of an app that nobody here has checked → a page that names the host; the person decides whether to go there.
import type { StrangerStop } from '../../oauth/authorize/returning-faults.ts'
import { page } from '../frame/layout.ts'
import { mark } from '../frame/mark.ts'
import { formTargetsFor, type PageAnswer, showPage } from '../frame/page-reply.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from '../pieces/buttons.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { formPostFields } from './form-post-page.ts'
import { placeOf } from './place-of.ts'

const wayBack = ({ texts: { consent } }: View, back: StrangerStop['back']): Html => {
  const place = placeOf(back.kind === 'post' ? back.redirectUri : back.location)
  const text = fillText(consent.strangerBack, { place })
  if (back.kind === 'return') return linkButton({ href: back.location, text })
  return formPostFields(back, { text })
}

/** The fault is in the words of the protocol, as the app's developer looks for them. */
const strangerPage = (view: View, { host, fault, back }: StrangerStop): Html => {
  const { consent, errors } = view.texts
  return page(view, {
    title: consent.strangerTitle,
    width: 'narrow',
    main: html`<div class="card">${mark(40, 'card-mark')}<h1>${consent.strangerTitle}</h1>
<div class="from-host"><p>${consent.describesItself}</p><p class="host" dir="ltr">${host}</p><p>${consent.strangerText}</p></div>
<p>${fill(consent.strangerFault, { code: html`<code dir="ltr">${fault.code}</code>` })}</p>
<p class="soft" dir="ltr" lang="en">${fault.message}</p>
<p>${consent.strangerHint}</p>
<div class="actions">${wayBack(view, back)}${linkButton({ href: '/', text: errors.toStart, look: 'primary' })}</div></div>`,
  })
}

export const showStranger = (view: View, stop: StrangerStop): PageAnswer =>
  showPage(strangerPage(view, stop), {
    status: 400,
    formTargets: stop.back.kind === 'post' ? formTargetsFor(stop.back.redirectUri) : [],
  })
