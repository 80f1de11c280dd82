// The signing keys and their states; never their private parts.

import type { SigningKeyLine } from '../../oauth/signing-keys/list-keys.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from '../pieces/buttons.ts'
import { momentOf, table } from '../pieces/data.ts'
import { type Html, html } from '../pieces/html.ts'
import { badge, type Tone } from '../pieces/notices.ts'
import { adminFrame } from './admin-frame.ts'

const tones: Readonly<Record<SigningKeyLine['state'], Tone>> = { next: 'info', active: 'good', retired: 'warn' }

export const signingKeysPage = (view: View, keys: readonly SigningKeyLine[], done: string | undefined): Html => {
  const { admin } = view.texts
  const moment = (at: Date | null): Html => (at === null ? html`` : momentOf(view, at))
  return adminFrame(view, {
    section: 'signingKeys',
    done,
    main: html`<p class="lead">${admin.keysLead}</p>${table({
      caption: admin.signingKeys,
      head: [admin.kid, admin.algorithm, admin.state, admin.created, admin.activated, admin.retired],
      rows: keys.map(key => [
        html`<code dir="ltr">${key.kid}</code>`,
        html`<code dir="ltr">${key.algorithm}</code>`,
        badge(admin.keyStates[key.state], tones[key.state]),
        moment(key.createdAt),
        moment(key.activatedAt),
        moment(key.retiredAt),
      ]),
    })}${linkButton({ href: '/admin/signing-keys/rotate', text: admin.rotate })}`,
  })
}
