// The masjids somebody looks after → the page that lists them.

import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'

export interface MasjidsParts {
  readonly masjids: readonly StaffedMasjid[]
  readonly words: string
  readonly searchable: boolean
}

const masjidCard = ({ texts }: View, masjid: StaffedMasjid): Html => {
  const { staff } = texts
  return html`<li class="card staff-card"><h2><a href="${staffPath(masjid)}"><bdi>${masjid.name}</bdi></a></h2>
<p>${masjid.nameArabic !== null && html`<bdi lang="ar">${masjid.nameArabic}</bdi> · `}<bdi>${masjid.city}</bdi></p>
<p>${masjid.verified ? badge(staff.verified, 'good') : badge(staff.unverified, 'warn')} ${masjid.capabilities.map(name => badge(staff.capabilities[name]))}</p></li>`
}

const searchForm = ({ texts }: View, words: string): Html =>
  html`<form method="get" action="/staff" role="search" class="card"><div class="filters">${textField({ name: 'q', label: texts.staff.search, value: words, optional: texts.common.optional })}</div>${submitButton({ text: texts.staff.find })}</form>`

export const masjidsPage = (view: View, { masjids, words, searchable }: MasjidsParts): Html => {
  const { staff } = view.texts
  const list =
    masjids.length === 0
      ? emptyState(words === '' ? { title: staff.none, text: staff.noneText } : { title: staff.notFound, text: '' })
      : html`<ul class="plain-list staff-cards">${masjids.map(masjid => masjidCard(view, masjid))}</ul>`
  return page(view, {
    title: staff.title,
    section: 'staff',
    main: html`<div class="page-head"><h1>${staff.title}</h1><p class="lead">${staff.lead}</p></div>${searchable && searchForm(view, words)}${list}`,
  })
}
