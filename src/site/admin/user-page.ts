// One account → its rights, sessions and apps, and what an administrator can do about it.
import type { User } from '../../accounts/users.ts'
import type { App } from '../../apps/app.ts'
import { addressOf } from '../data-changes/read-filters.ts'
import type { View } from '../frame/view.ts'
import { actions, linkButton, submitButton } from '../pieces/buttons.ts'
import { dayOf, facts } from '../pieces/data.ts'
import { fillCount } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice, shownState, stateBadge } from '../pieces/notices.ts'
import { adminFrame } from './admin-frame.ts'
import { userBadges } from './users-page.ts'

export interface UserParts {
  readonly user: User
  readonly sessions: number
  readonly hasFactor: boolean
  readonly apps: readonly App[]
  readonly done: string | undefined
}

const path = (user: User, action: string): string => `/admin/users/${user.id}/${action}`

const rightButton = (view: View, user: User, right: 'reviewer' | 'admin'): Html => {
  const { user: texts } = view.texts.admin
  const has = right === 'reviewer' ? user.isReviewer : user.isAdmin
  const give = right === 'reviewer' ? texts.makeReviewer : texts.makeAdmin
  const take = right === 'reviewer' ? texts.dropReviewer : texts.dropAdmin
  return form(view, {
    action: path(user, 'rights'),
    hidden: { right, given: has ? 'no' : 'yes' },
    fields: submitButton({ text: has ? take : give }),
  })
}

const rightsPart = (view: View, user: User): Html => {
  const { user: texts } = view.texts.admin
  const own = view.user?.id === user.id
  return html`<section class="card"><h2>${texts.rights}</h2><p>${userBadges(view, user)}</p>
${own ? notice({ tone: 'info', text: texts.yourself }) : actions(rightButton(view, user, 'reviewer'), rightButton(view, user, 'admin'))}</section>`
}

const sessionsPart = ({ texts, language }: View, { user, sessions }: UserParts): Html => {
  const { user: words } = texts.admin
  return html`<section class="card"><h2>${words.sessions}</h2><p>${fillCount(language, words.sessionsText, sessions)}</p>
${sessions > 0 && linkButton({ href: path(user, 'end-sessions'), text: words.endSessions, look: 'danger' })}</section>`
}

const factorsPart = (view: View, { user, hasFactor }: UserParts): Html => {
  const { user: texts } = view.texts.admin
  const own = view.user?.id === user.id
  return html`<section class="card"><h2>${texts.factors}</h2><p>${hasFactor ? texts.factorsText : texts.noFactors}</p>
${hasFactor && !own && linkButton({ href: path(user, 'reset-factors'), text: texts.resetFactors, look: 'danger' })}</section>`
}

const disablePart = (view: View, user: User): Html => {
  const { user: texts } = view.texts.admin
  if (view.user?.id === user.id) return html``
  return html`<section class="card"><h2>${texts.disableHeading}</h2><p>${user.disabled ? texts.enableText : texts.disableText}</p>${
    user.disabled
      ? form(view, { action: path(user, 'enable'), fields: submitButton({ text: texts.enable }) })
      : linkButton({ href: path(user, 'disable'), text: texts.disable, look: 'danger' })
  }</section>`
}

const appsPart = (view: View, { user, apps }: UserParts): Html => {
  const { user: texts } = view.texts.admin
  return html`<section class="card"><h2>${texts.apps}</h2>${user.disabled && apps.length > 0 && notice({ tone: 'warn', text: texts.paused })}${
    apps.length === 0
      ? html`<p class="soft">${texts.noApps}</p>`
      : html`<ul class="plain-list">${apps.map(app => html`<li><a href="/review/apps/${app.id}"><bdi>${app.name}</bdi></a> ${stateBadge(view, shownState(app))}</li>`)}</ul>`
  }</section>`
}

export const userPage = (view: View, parts: UserParts): Html => {
  const { user, done } = parts
  const { admin } = view.texts
  return adminFrame(view, {
    section: 'users',
    title: user.name,
    done,
    main: html`<section class="card">${facts([
      [admin.email, html`<bdi>${user.email}</bdi>`],
      [admin.since, dayOf(view, user.createdAt)],
      [admin.audit, html`<a href="/admin/audit?user=${encodeURIComponent(user.email)}">${admin.user.activity}</a>`],
      [admin.changes, html`<a href="${addressOf({ person: user.email })}">${admin.user.changes}</a>`],
    ])}</section>${rightsPart(view, user)}${factorsPart(view, parts)}${sessionsPart(view, parts)}${disablePart(view, user)}${appsPart(view, parts)}`,
  })
}
