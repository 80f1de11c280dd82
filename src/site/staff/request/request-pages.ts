// Registering a masjid, finding a listed one, and asking to look after it → their pages.
import type { ListedMasjid, MasjidRequest } from '../../../capabilities/masjid-requests.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { confirmPage } from '../../pieces/confirm-page.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { emptyState, faultList } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import type { RequestFaults, RequestForm } from './read-request.ts'

type Words = Readonly<Record<string, string>>

const wordsOf = ({ texts }: View, faults: RequestFaults): Words => faultWords(texts.masjidRequest.faults, faults)

const frame = (view: View, parts: { title: string; words: Words; main: Html }): Html => {
  const faulty = Object.keys(parts.words).length > 0
  return page(view, {
    title: parts.title,
    faulty,
    section: 'staff',
    main: html`<p class="staff-masjid"><a href="/staff?all=1">${view.texts.staff.title}</a></p><h1><bdi>${parts.title}</bdi></h1>${faultList(view, parts.words)}${parts.main}`,
  })
}

const wordsField = ({ texts }: View, value: string, words: Words): Html =>
  textArea({
    name: 'words',
    label: texts.masjidRequest.words,
    hint: texts.masjidRequest.wordsHint,
    value,
    fault: words.words,
    rows: 5,
  })

const registerFields = (view: View, values: RequestForm, words: Words): Html => {
  const { masjidRequest: texts, common } = view.texts
  const field = (
    name: keyof RequestForm,
    label: string,
    more: { hint?: string; optional?: boolean; dir?: string } = {},
  ): Html =>
    textField({
      name,
      label,
      value: values[name],
      fault: words[name],
      hint: more.hint,
      ...(more.optional ? { optional: common.optional } : {}),
      attributes: { dir: more.dir ?? 'auto' },
    })
  return html`${field('name', texts.name)}${field('name_ar', texts.nameArabic, { optional: true, dir: 'rtl' })}${field('address', texts.address)}
<div class="pair">${field('city', texts.city)}${field('postal_code', texts.postalCode, { optional: true })}</div>
<div class="pair">${field('state', texts.state, { optional: true })}${field('country', texts.country, { hint: texts.countryHint, dir: 'ltr' })}</div>
${field('place', texts.place, { hint: texts.placeHint, dir: 'ltr' })}${field('timezone', texts.timezone, { hint: texts.timezoneHint, dir: 'ltr' })}${wordsField(view, values.words, words)}`
}

export const registerPage = (view: View, values: RequestForm, faults: RequestFaults = {}): Html => {
  const { masjidRequest: texts, common } = view.texts
  const words = wordsOf(view, faults)
  return frame(view, {
    title: texts.registerTitle,
    words,
    main: html`<p class="lead">${texts.askLead}</p><div class="card form-card">${form(view, {
      action: '/staff/register',
      fields: html`${registerFields(view, values, words)}${actions(
        submitButton({ text: texts.send, look: 'primary' }),
        linkButton({ text: common.cancel, href: '/staff' }),
      )}`,
    })}</div>`,
  })
}

const foundEntry = ({ texts }: View, { id, name, city, address }: ListedMasjid): Html =>
  html`<li class="card staff-card"><h2><bdi>${name}</bdi></h2><p><bdi>${address}</bdi>, <bdi>${city}</bdi></p>${actions(
    linkButton({
      text: texts.masjidRequest.choose,
      href: `/staff/claim/${id}`,
      size: 'small',
      label: fillText(texts.masjidRequest.chooseOf, { name }),
    }),
  )}</li>`

export const findPage = (view: View, typed: string, found: readonly ListedMasjid[]): Html => {
  const { masjidRequest: texts } = view.texts
  const register = linkButton({ text: texts.registerLink, href: '/staff/register' })
  const list =
    found.length === 0
      ? emptyState({ title: texts.nothing, text: texts.nothingText, action: register })
      : html`<ul class="plain-list card-grid">${found.map(one => foundEntry(view, one))}</ul><p>${register}</p>`
  return frame(view, {
    title: texts.claimTitle,
    words: {},
    main: html`<form method="get" action="/staff/claim" role="search" class="card">${textField({ name: 'q', label: texts.search, value: typed })}${actions(submitButton({ text: texts.find, look: 'primary' }))}</form>${typed === '' ? html`<p>${register}</p>` : list}`,
  })
}

export const claimPage = (view: View, masjid: ListedMasjid, typed: string, faults: RequestFaults = {}): Html => {
  const { masjidRequest: texts, common } = view.texts
  const words = wordsOf(view, faults)
  return frame(view, {
    title: fillText(texts.askTitle, { masjid: masjid.name }),
    words,
    main: html`<p class="lead">${texts.askLead}</p><div class="card form-card"><p><bdi>${masjid.address}</bdi>, <bdi>${masjid.city}</bdi></p>${form(
      view,
      {
        action: `/staff/claim/${masjid.id}`,
        fields: html`${wordsField(view, typed, words)}${actions(
          submitButton({ text: texts.send, look: 'primary' }),
          linkButton({ text: common.cancel, href: '/staff/claim' }),
        )}`,
      },
    )}</div>`,
  })
}

export const withdrawPath = ({ id }: Pick<MasjidRequest, 'id'>): string => `/staff/requests/${id}/withdraw`

export const withdrawPage = (view: View, request: MasjidRequest): Html => {
  const { masjidRequest: texts } = view.texts
  return confirmPage(view, {
    title: texts.withdrawTitle,
    text: fill(texts.withdrawText, { masjid: request.masjid }),
    action: withdrawPath(request),
    button: texts.withdraw,
    cancel: '/staff?all=1',
    section: 'staff',
  })
}
