// Masjids and their verification → a list for administrators, below a search.
import type { ListedMasjid, ListedPage } from '../../../capabilities/list-masjids.ts'
import { type Verification, verifications } from '../../../capabilities/verify-masjid.ts'
import type { View } from '../../frame/view.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { dayOf, table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { badge, emptyState, type Tone } from '../../pieces/notices.ts'
import { adminFrame } from '../admin-frame.ts'

export const MASJIDS_PATH = '/admin/masjids'

export interface MasjidsParts extends ListedPage {
  readonly words: string
  readonly verification: Verification | undefined
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

const nextLink = ({ texts }: View, { next, verification }: MasjidsParts): Html => {
  if (next === undefined) return nothing
  const query = new URLSearchParams({ state: verification ?? '', after: next })
  const href = `${MASJIDS_PATH}?${query}`
  return html`<nav class="pages" aria-label="${texts.common.pages}">${linkButton({ href, text: texts.common.next, size: 'small' })}</nav>`
}

export const masjidsPage = (view: View, parts: MasjidsParts): Html => {
  const { masjids, done } = parts
  const { adminMasjids: texts } = view.texts
  const found =
    masjids.length === 0
      ? emptyState({ title: texts.none, text: texts.noneText })
      : html`${masjidTable(view, masjids)}${nextLink(view, parts)}`
  return adminFrame(view, { section: 'masjids', done, main: html`${searchForm(view, parts)}${found}` })
}
