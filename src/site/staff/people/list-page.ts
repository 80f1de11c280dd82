// People found → the page that lists them, with search, and what can be done with the whole list.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { selectField } from '../../pieces/choices.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState, type Tone } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import type { PeopleFilters } from './find-people.ts'
import { furtherPages, listTabs, searchForm, undoForm } from './list-pieces.ts'
import { peoplePath } from './people-path.ts'
import { type Member, type MemberStatus, nameOf, PEOPLE_A_PAGE, statuses } from './person.ts'

export interface ListParts {
  readonly masjid: StaffedMasjid
  readonly people: readonly Member[]
  readonly filters: PeopleFilters
  readonly skip: number
  readonly done: string | undefined
  /** Somebody who was just deleted, which can be taken back. */
  readonly deleted: string | undefined
}

const tones: Readonly<Record<MemberStatus, Tone>> = {
  active: 'good',
  pending: 'warn',
  inactive: 'info',
  deceased: 'info',
}

export const statusBadge = ({ texts }: View, status: MemberStatus): Html =>
  badge(texts.staffPeople.statuses[status], tones[status])

const entry = (view: View, masjid: StaffedMasjid, member: Member): Html => {
  const { roles } = view.texts.staffPeople
  const reach = [member.phone, member.email].filter(text => text !== null)
  return html`<li class="person"><p><a href="${peoplePath(masjid, member.id)}"><bdi>${nameOf(member)}</bdi></a> ${
    member.status !== 'active' && statusBadge(view, member.status)
  } ${member.role !== 'member' && badge(roles[member.role])}</p>
<p class="soft">${reach.map(text => html`<bdi dir="ltr">${text}</bdi> `)}${member.household !== null && html`· <bdi>${member.household.name}</bdi>`}</p></li>`
}

const search = (view: View, { masjid, filters }: ListParts): Html => {
  const { search: label, status, anyStatus, statuses: names } = view.texts.staffPeople
  const choices = statuses.map(name => ({ value: name, label: names[name] }))
  const more = selectField({
    name: 'status',
    label: status,
    chosen: [filters.status ?? ''],
    choices: [{ value: '', label: anyStatus }, ...choices],
  })
  return searchForm(view, { action: peoplePath(masjid), label, words: filters.words, more })
}

const found = (view: View, parts: ListParts): Html => {
  const { masjid, people, filters, skip } = parts
  const { texts } = view
  const searched = filters.words !== '' || filters.status !== undefined
  if (people.length === 0)
    return emptyState(
      searched
        ? { title: texts.staffPeople.notFound, text: texts.staffPeople.notFoundText }
        : { title: texts.staffPeople.none, text: texts.staffPeople.noneText },
    )
  const paging = { q: filters.words, status: filters.status ?? '' }
  return html`<ul class="plain-list card">${people.slice(0, PEOPLE_A_PAGE).map(member => entry(view, masjid, member))}</ul>${furtherPages(view, { path: peoplePath(masjid), filters: paging, skip, size: PEOPLE_A_PAGE, found: people.length })}`
}

const exportPart = (view: View, { masjid, people }: ListParts): Html => {
  const { exportTitle, exportText, exportButton } = view.texts.staffPeople
  const button = form(view, { action: peoplePath(masjid, 'export'), fields: submitButton({ text: exportButton }) })
  return html`${people.length > 0 && html`<section><h2>${exportTitle}</h2><p>${exportText}</p>${button}</section>`}`
}

export const listPage = (view: View, parts: ListParts): Html => {
  const { staffPeople: texts } = view.texts
  const { masjid, deleted } = parts
  return staffFrame(view, {
    masjid,
    section: 'people',
    done: parts.done,
    main: html`${undoForm(view, deleted && peoplePath(masjid, deleted, 'restore'))}${listTabs(view, masjid, 'people')}<p class="lead">${texts.lead}</p>${actions(
      linkButton({ text: texts.create, href: peoplePath(masjid, 'new'), look: 'primary' }),
      linkButton({ text: texts.importing.title, href: peoplePath(masjid, 'import') }),
    )}${search(view, parts)}${found(view, parts)}${exportPart(view, parts)}`,
  })
}
