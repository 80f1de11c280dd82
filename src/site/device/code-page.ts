// The code typed so far → the page on which people type the code of a device, and the page after their decision.

import type { DeviceAnswer } from '../../oauth/device/decide-device.ts'
import { DEVICE_PAGE } from '../../oauth/device/device-authorization.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { faultList } from '../pieces/notices.ts'

export interface CodePageParts {
  /** As typed, or as the link filled it in. */
  readonly code: string
  readonly wrong?: boolean
}

const FIELD = 'user_code'

export const codePage = (view: View, { code, wrong = false }: CodePageParts): Html => {
  const { device } = view.texts
  const fault = wrong ? device.wrongCode : undefined
  return page(view, {
    title: device.title,
    faulty: wrong,
    width: 'narrow',
    main: html`<div class="card"><h1>${device.title}</h1>${faultList(view, { [FIELD]: fault })}
<p>${code !== '' && !wrong ? device.filledIn : device.lead}</p>
${form(view, {
  action: DEVICE_PAGE,
  fields: html`${textField({
    name: FIELD,
    label: device.code,
    hint: device.codeHint,
    value: code,
    fault,
    attributes: {
      class: 'device-code',
      dir: 'ltr',
      autocomplete: 'off',
      autocapitalize: 'characters',
      spellcheck: 'false',
      maxlength: 40,
    },
  })}${actions(submitButton({ text: device.next, look: 'primary', size: 'full' }))}`,
})}</div>`,
  })
}

export const decidedPage = (view: View, answer: DeviceAnswer): Html => {
  const { device } = view.texts
  const [title, text] = answer === 'allow' ? [device.allowedTitle, device.allowed] : [device.deniedTitle, device.denied]
  return page(view, {
    title,
    width: 'narrow',
    main: html`<div class="card"><h1>${title}</h1><p role="status">${text}</p>${linkButton({ href: DEVICE_PAGE, text: device.another })}</div>`,
  })
}
