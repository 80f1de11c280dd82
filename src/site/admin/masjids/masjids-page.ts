// Masjids and their verification → a list for administrators, below a search.
import {
  type ListedMasjid,
  MASJIDS_PER_PAGE,
  type Verification,
  verifications,
} from '../../../capabilities/verify-masjid.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { dayOf, pagination, table } from '../../pieces/data.ts'
import { fillCount, fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState, type Tone } from '../../pieces/notices.ts'
import { adminFrame } from '../admin-frame.ts'

export const MASJIDS_PATH = '/admin/masjids'

export interface MasjidsParts {
  readonly masjids: readonly ListedMasjid[]
  readonly total: number
  readonly words: string
  readonly verification: Verification | undefined
  readonly page: number
  readonly done: string | undefined
}

const tones: Readonly<Record<Verification, Tone>> = {
  unverified: 'warn',
  pending: 'info',
  verified: 'good',
  disputed: 'bad',
}

const searchForm = ({ texts }: View, { words, verification }: MasjidsParts): Html => {
  const { adminMasjids } = texts
  const states = verifications.map(value => ({ value, label: adminMasjids.states[value] }))
  return html`<form method="get" action="${MASJIDS_PATH}" class="card find" role="search">
${textField({ name: 'q', label: adminMasjids.search, hint: adminMasjids.searchHint, value: words, filter: true })}
${selectField({ name: 'state', label: adminMasjids.state, chosen: [verification ?? ''], choices: [{ value: '', label: adminMasjids.any }, ...states] })}
${submitButton({ text: adminMasjids.searchButton })}</form>`
}

const changeForm = (view: View, { id, name, verification }: ListedMasjid): Html => {
  const { adminMasjids: texts } = view.texts
  const verified = verification === 'verified'
  return form(view, {
    action: `${MASJIDS_PATH}/${id}/verification`,
    hidden: { verification: verified ? 'unverified' : 'verified' },
    fields: submitButton({
      text: verified ? texts.unverify : texts.verify,
      size: 'small',
      label: fillText(verified ? texts.unverifyNamed : texts.verifyNamed, { name }),
    }),
  })
}

const masjidTable = (view: View, masjids: readonly ListedMasjid[]): Html => {
  const { admin, adminMasjids: texts } = view.texts
  return table({
    caption: admin.masjids,
    cards: true,
    head: [texts.masjid, texts.place, texts.state, texts.checked, texts.action],
    rows: masjids.map(masjid => [
      html`<a href="/m/${masjid.slug}"><bdi>${masjid.name}</bdi></a>`,
      html`<bdi>${masjid.city}, ${masjid.country}</bdi>`,
      badge(texts.states[masjid.verification], tones[masjid.verification]),
      masjid.verifiedAt === null ? nothing : dayOf(view, masjid.verifiedAt),
      changeForm(view, masjid),
    ]),
  })
}

export const masjidsPage = (view: View, parts: MasjidsParts): Html => {
  const { masjids, total, words, verification = '', page, done } = parts
  const { adminMasjids: texts } = view.texts
  const href = (target: number): string =>
    `${MASJIDS_PATH}?${new URLSearchParams({ q: words, state: verification, page: String(target) })}`
  const found =
    masjids.length === 0
      ? emptyState({ title: texts.none, text: texts.noneText })
      : html`<p class="soft">${fillCount(view.language, texts.count, total)}</p>${masjidTable(view, masjids)}
${pagination(view, { page, pages: Math.ceil(total / MASJIDS_PER_PAGE), href })}`
  return adminFrame(view, { section: 'masjids', done, main: html`${searchForm(view, parts)}${found}` })
}
