// The masjids somebody looks after → the page that lists them.

import type { MasjidRequest } from '../../../capabilities/masjid-requests.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillText } from '../../pieces/fill.ts'
import { textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState, notice } from '../../pieces/notices.ts'
import { requestBadge } from '../../review/masjids/pages.ts'
import { withdrawPath } from '../request/request-pages.ts'
import { staffPath } from '../sections.ts'

export interface MasjidsParts {
  readonly masjids: readonly StaffedMasjid[]
  readonly words: string
  readonly searchable: boolean
  readonly requests: readonly MasjidRequest[]
  readonly done: string | undefined
}

const masjidCard = ({ texts }: View, masjid: StaffedMasjid): Html => {
  const { staff } = texts
  return html`<li class="card staff-card"><h2><a href="${staffPath(masjid)}"><bdi>${masjid.name}</bdi></a></h2>
<p>${masjid.nameArabic !== null && html`<bdi lang="ar">${masjid.nameArabic}</bdi> · `}<bdi>${masjid.city}</bdi></p>
<p>${masjid.verified ? badge(staff.verified, 'good') : badge(staff.unverified, 'warn')} ${masjid.capabilities.map(name => badge(staff.capabilities[name]))}</p></li>`
}

const searchForm = ({ texts }: View, words: string): Html =>
  html`<form method="get" action="/staff" role="search" class="card"><div class="filters">${textField({ name: 'q', label: texts.staff.search, value: words, filter: true })}</div>${submitButton({ text: texts.staff.find })}</form>`

const withdrawButton = ({ texts: { masjidRequest: texts } }: View, request: MasjidRequest): Html =>
  actions(
    linkButton({
      text: texts.withdraw,
      href: withdrawPath(request),
      size: 'small',
      label: fillText(texts.withdrawOf, { masjid: request.masjid }),
    }),
  )

const requestsPart = (view: View, requests: readonly MasjidRequest[]): Html => {
  const { masjidRequest: texts } = view.texts
  const asked = html`<h2>${texts.yours}</h2><ul class="plain-list">${requests.map(
    request =>
      html`<li class="card"><h3><bdi>${request.masjid}</bdi> ${requestBadge(view, request)}</h3><p class="soft">${texts.kinds[request.kind]}</p>${
        request.reviewerWords !== null && html`<p class="as-typed" dir="auto">${request.reviewerWords}</p>`
      }${request.state === 'pending' && withdrawButton(view, request)}</li>`,
  )}</ul>`
  return html`<section class="card"><h2>${texts.start}</h2><p>${texts.startText}</p>${actions(
    linkButton({ text: texts.claimLink, href: '/staff/claim', look: 'primary' }),
    linkButton({ text: texts.registerLink, href: '/staff/register' }),
  )}</section>${requests.length > 0 && html`<section>${asked}</section>`}`
}

export const masjidsPage = (view: View, { masjids, words, searchable, requests, done }: MasjidsParts): Html => {
  const { staff } = view.texts
  const list =
    masjids.length === 0
      ? emptyState(words === '' ? { title: staff.none, text: staff.noneText } : { title: staff.notFound, text: '' })
      : html`<ul class="plain-list card-grid">${masjids.map(masjid => masjidCard(view, masjid))}</ul>`
  return page(view, {
    title: staff.title,
    section: 'staff',
    main: html`<div class="page-head"><h1>${staff.title}</h1><p class="lead">${staff.lead}</p></div>${done !== undefined && notice({ tone: 'good', text: done })}${searchable && searchForm(view, words)}${list}${requestsPart(view, requests)}`,
  })
}
