// Answers to one date of an event → a list by answer, the waiting list in its order; it prints without menus.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { linkButton } from '../../pieces/buttons.ts'
import { table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { emptyState } from '../../pieces/notices.ts'
import { localMomentOf } from '../local-words.ts'
import { staffFrame } from '../staff-frame.ts'
import type { ListedOccurrence, Reply } from './event.ts'
import { placeWords, statusBadge } from './event-words.ts'
import { occurrencePath } from './occurrence-entry.ts'

const REPLIES_A_PAGE = 100

export interface RepliesParts {
  readonly masjid: StaffedMasjid
  readonly occurrence: ListedOccurrence
  readonly replies: readonly Reply[]
  readonly skip: number
}

const groups = ['going', 'attended', 'waitlisted', 'maybe', 'declined'] as const

const nameOf = ({ texts }: View, { guest_name, guest_email, member }: Reply): Html => {
  if (guest_name !== null)
    return html`<bdi>${guest_name}</bdi> <span class="soft small">${guest_email === null ? texts.staffEvents.replies.account : html`<bdi>${guest_email}</bdi>`}</span>`
  if (member === null) return html`<span class="soft">${texts.staffEvents.replies.member}</span>`
  return html`<bdi>${[member.given_name, member.family_name].filter(Boolean).join(' ')}</bdi>`
}

const group = (view: View, masjid: StaffedMasjid, name: (typeof groups)[number], found: readonly Reply[]): Html => {
  const { replies: texts } = view.texts.staffEvents
  const people = found.reduce((sum, { party_size }) => sum + party_size, 0)
  return html`<section><h2>${texts.groups[name]} (${people})</h2>${table({
    caption: texts.groups[name],
    head: ['#', texts.name, texts.size, texts.answered],
    numbers: [0, 2],
    rows: found.map((reply, index) => [
      index + 1,
      nameOf(view, reply),
      reply.party_size,
      localMomentOf(view, masjid, reply.responded_at),
    ]),
  })}</section>`
}

export const repliesPage = (view: View, { masjid, occurrence, replies, skip }: RepliesParts): Html => {
  const { replies: texts } = view.texts.staffEvents
  const found = groups.flatMap(name => {
    const those = replies.filter(({ status }) => status === name)
    return those.length === 0 ? [] : [group(view, masjid, name, those)]
  })
  const hidden = replies.some(({ member, guest_name }) => member === null && guest_name === null)
  const more = `${occurrencePath(masjid, occurrence.id, 'answers')}?skip=${skip + REPLIES_A_PAGE}`
  return staffFrame(view, {
    masjid,
    section: 'events',
    title: fillText(texts.title, { title: occurrence.event.title }),
    main: html`<p>${localMomentOf(view, masjid, occurrence.starts_at)} · ${placeWords(view, occurrence)} ${statusBadge(view, occurrence.status)}</p>
${found.length === 0 ? emptyState({ title: texts.none, text: texts.noneText }) : found}
${hidden && html`<p class="hint">${texts.memberHint}</p>`}
${replies.length === REPLIES_A_PAGE && html`<p class="no-print">${linkButton({ text: texts.more, href: more })}</p>`}
${found.length > 0 && html`<p class="hint no-print">${texts.print}</p>`}`,
  })
}
