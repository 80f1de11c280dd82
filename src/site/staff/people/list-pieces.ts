// What the lists of people and of households share: the search, links to further pages, taking a deletion back.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { form, textField } from '../../pieces/form.ts'
import { attributes, type Html, html, nothing } from '../../pieces/html.ts'
import { householdPath, peoplePath } from './people-path.ts'

interface SearchParts {
  readonly action: string
  readonly label: string
  readonly words: string
  readonly more?: Html
}

export const searchForm = ({ texts }: View, { action, label, words, more = nothing }: SearchParts): Html =>
  html`<form method="get" action="${action}" role="search" class="card"><div class="filters">${textField({
    name: 'q',
    label,
    value: words,
    type: 'search',
    filter: true,
    attributes: { dir: 'auto', maxlength: 100 },
  })}${more}</div>${submitButton({ text: texts.staff.find })}</form>`

interface Paging {
  readonly path: string
  readonly filters: Readonly<Record<string, string>>
  readonly skip: number
  readonly size: number
  readonly found: number
}

/** One more than a page was found if there is another. */
export const furtherPages = ({ texts }: View, { path, filters, skip, size, found }: Paging): Html => {
  const to = (offset: number): string => `${path}?${new URLSearchParams({ ...filters, skip: String(offset) })}`
  const { previous, next } = texts.common
  return html`<p class="actions">${skip > 0 && linkButton({ text: previous, href: to(Math.max(0, skip - size)), size: 'small' })}${
    found > size && linkButton({ text: next, href: to(skip + size), size: 'small' })
  }</p>`
}

export const undoForm = (view: View, action: string | undefined): Html =>
  action === undefined
    ? nothing
    : form(view, {
        action,
        fields: html`<div class="undo">${submitButton({ text: view.texts.staffPeople.undo, size: 'small' })}</div>`,
      })

/** People, households: two lists of one section. */
export const listTabs = ({ texts }: View, masjid: StaffedMasjid, current: 'people' | 'households'): Html => {
  const { people, households } = texts.staffPeople
  const tab = (name: string, href: string, text: string): Html =>
    html`<li><a href="${href}"${attributes({ 'aria-current': name === current && 'page' })}>${text}</a></li>`
  return html`<nav class="people-tabs" aria-label="${texts.staffPeople.lists}"><ul>${tab('people', peoplePath(masjid), people)}${tab('households', householdPath(masjid), households)}</ul></nav>`
}
