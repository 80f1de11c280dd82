// Search results → a list of people with their rights, below the search form.
import { USERS_PER_PAGE } from '../../accounts/administer.ts'
import type { User } from '../../accounts/users.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { dayOf, pagination, table } from '../pieces/data.ts'
import { fillCount } from '../pieces/fill.ts'
import { textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge, emptyState } from '../pieces/notices.ts'
import { adminFrame } from './admin-frame.ts'

export interface UsersParts {
  readonly users: readonly User[]
  readonly total: number
  readonly words: string
  readonly page: number
  /** By the id of the account. */
  readonly signedIn: ReadonlyMap<string, Date>
}

export const userBadges = ({ texts }: View, user: User): Html => {
  const { admin } = texts
  return html`${user.isReviewer && badge(admin.reviewer, 'good')} ${user.isAdmin && badge(admin.administrator, 'good')}
${user.disabled && badge(admin.disabled, 'bad')} ${!user.emailVerified && badge(admin.unconfirmed, 'warn')}`
}

const searchForm = (
  { texts }: View,
  words: string,
): Html => html`<form method="get" action="/admin" class="card find" role="search">
${textField({ name: 'q', label: texts.admin.search, hint: texts.admin.searchHint, value: words, filter: true })}
${submitButton({ text: texts.admin.searchButton })}</form>`

const userTable = (view: View, { users, signedIn }: UsersParts): Html => {
  const { admin } = view.texts
  const lastOf = ({ id }: User): Html => {
    const at = signedIn.get(id)
    return at === undefined ? nothing : dayOf(view, at)
  }
  return table({
    caption: admin.users,
    cards: true,
    head: [admin.name, admin.email, admin.roles, admin.lastSignIn, admin.since],
    rows: users.map(user => [
      html`<a href="/admin/users/${user.id}"><bdi>${user.name}</bdi></a>`,
      html`<bdi>${user.email}</bdi>`,
      userBadges(view, user),
      lastOf(user),
      dayOf(view, user.createdAt),
    ]),
  })
}

export const usersPage = (view: View, parts: UsersParts): Html => {
  const { users, total, words, page } = parts
  const { admin } = view.texts
  const href = (target: number): string => `/admin?q=${encodeURIComponent(words)}&page=${target}`
  const found =
    users.length === 0
      ? emptyState({ title: admin.noUsers, text: admin.noUsersText })
      : html`<p class="soft">${fillCount(view.language, admin.count, total)}</p>${userTable(view, parts)}
${pagination(view, { page, pages: Math.ceil(total / USERS_PER_PAGE), href })}`
  return adminFrame(view, { section: 'users', main: html`${searchForm(view, words)}${found}` })
}
