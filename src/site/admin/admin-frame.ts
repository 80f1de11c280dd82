// The frame of the administration pages.

import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'

const sections = {
  overview: '/admin/overview',
  users: '/admin',
  masjids: '/admin/masjids',
  audit: '/admin/audit',
  changes: '/admin/changes',
  mails: '/admin/mail',
  signingKeys: '/admin/signing-keys',
} as const
type AdminSection = keyof typeof sections

export interface AdminFrameParts {
  readonly section: AdminSection
  readonly title?: string
  readonly done?: string | undefined
  readonly main: Html
}

export const adminFrame = (view: View, { section, title, done, main }: AdminFrameParts): Html => {
  const { admin } = view.texts
  const heading = title ?? admin[section]
  return page(view, {
    title: heading,
    section: 'admin',
    main: html`<div class="page-head"><h1><bdi>${heading}</bdi></h1></div>${done !== undefined && notice({ tone: 'good', text: done })}
<div class="with-sections"><nav class="sections" aria-label="${admin.sections}"><ul>${Object.entries(sections).map(
      ([name, href]) =>
        html`<li><a href="${href}"${attributes({ 'aria-current': name === section && 'page' })}>${admin[name as AdminSection]}</a></li>`,
    )}</ul></nav><div>${main}</div></div>`,
  })
}
