// Requests about masjids → the list on the review desk, and the page of one.
import type { MasjidRequest } from '../../../capabilities/masjid-requests.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { facts, momentOf, table } from '../../pieces/data.ts'
import { form, textArea } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState, faultList, notice, type Tone } from '../../pieces/notices.ts'

const tones: Readonly<Record<MasjidRequest['state'], Tone>> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  withdrawn: 'info',
}

export const requestBadge = ({ texts }: View, { state }: Pick<MasjidRequest, 'state'>): Html =>
  badge(texts.masjidRequest.states[state], tones[state])

export const requestsPage = (view: View, requests: readonly MasjidRequest[], done: string | undefined): Html => {
  const { review: texts, kinds } = view.texts.masjidRequest
  const list =
    requests.length === 0
      ? emptyState({ title: texts.empty, text: texts.emptyText })
      : table({
          caption: texts.title,
          head: [texts.masjid, texts.kind, texts.person, texts.state, texts.sent],
          rows: requests.map(request => [
            html`<a href="/review/masjids/${request.id}"><bdi>${request.masjid}</bdi></a>${request.city && html`, <bdi>${request.city}</bdi>`}`,
            kinds[request.kind],
            html`<bdi>${request.person}</bdi>`,
            requestBadge(view, request),
            momentOf(view, request.createdAt),
          ]),
        })
  return page(view, {
    title: texts.title,
    section: 'review',
    main: html`<div class="page-head"><p><a href="/review">${view.texts.review.title}</a></p><h1>${texts.title}</h1><p class="lead">${texts.lead}</p></div>${done !== undefined && notice({ tone: 'good', text: done })}${list}`,
  })
}

const detailsPart = (view: View, { details }: MasjidRequest): Html => {
  const given = Object.entries(details).filter(([, value]) => value !== null)
  if (given.length === 0) return nothing
  return html`<h2>${view.texts.masjidRequest.review.details}</h2>${facts(given.map(([name, value]) => [name, html`<bdi>${String(value)}</bdi>`]))}`
}

export interface RequestPageParts {
  readonly request: MasjidRequest
  readonly typed?: string
  readonly fault?: string | undefined
  readonly refusal?: string | undefined
}

const decisionForms = (view: View, { request, typed = '', fault }: RequestPageParts): Html => {
  const { review: texts } = view.texts.masjidRequest
  return html`<section class="card">${form(view, {
    action: `/review/masjids/${request.id}/approve`,
    fields: html`${textArea({ name: 'words', label: texts.note, optional: view.texts.common.optional, rows: 2 })}${actions(submitButton({ text: texts.approve, look: 'primary' }))}`,
  })}</section><section class="card">${form(view, {
    action: `/review/masjids/${request.id}/reject`,
    fields: html`${textArea({ name: 'reason', label: texts.reason, value: typed, fault, rows: 3 })}${actions(submitButton({ text: texts.reject, look: 'danger' }))}`,
  })}</section>`
}

export const requestPage = (view: View, parts: RequestPageParts): Html => {
  const { review: texts, kinds } = view.texts.masjidRequest
  const { request, fault, refusal } = parts
  const warning = request.state === 'pending' && request.team > 0
  return page(view, {
    title: `${request.masjid} · ${texts.title}`,
    faulty: fault !== undefined,
    section: 'review',
    main: html`<p><a href="/review/masjids">${texts.title}</a></p><h1><bdi>${request.masjid}</bdi> ${requestBadge(view, request)}</h1>
${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${faultList(view, { reason: fault })}${warning && notice({ tone: 'warn', text: texts.teamWarning })}
<section class="card">${facts([
      [texts.kind, kinds[request.kind]],
      [texts.person, html`<bdi>${request.person}</bdi> (<bdi>${request.email}</bdi>)`],
      [texts.sent, momentOf(view, request.createdAt)],
      [texts.team, request.team],
      [texts.words, html`<span class="as-typed" dir="auto">${request.words}</span>`],
      ...(request.reviewerWords === null
        ? []
        : ([[texts.note, html`<span class="as-typed" dir="auto">${request.reviewerWords}</span>`]] as const)),
    ])}${detailsPart(view, request)}${request.state === 'approved' && request.slug !== null && linkButton({ text: texts.verified, href: `/staff/${request.slug}` })}</section>
${request.state === 'pending' && decisionForms(view, parts)}`,
  })
}
