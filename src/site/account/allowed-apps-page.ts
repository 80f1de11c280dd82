// The apps a person allowed → a page that lists them, and the confirmation before one is withdrawn.
import { isScope, isWriteScope } from '../../access/scopes.ts'
import type { AllowedApp } from '../../accounts/allowed-apps.ts'
import { directionOf, isLanguage } from '../../accounts/languages.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { linkButton } from '../pieces/buttons.ts'
import { confirmPage } from '../pieces/confirm-page.ts'
import { dayOf } from '../pieces/data.ts'
import { fill, fillText, fillTitle } from '../pieces/fill.ts'
import { attributes, type Html, html, nothing } from '../pieces/html.ts'
import { badge, emptyState, notice } from '../pieces/notices.ts'
import type { Texts } from '../texts/texts.ts'
import { accountPage } from './account-frame.ts'

export interface AllowedAppsParts {
  readonly apps: readonly AllowedApp[]
  readonly withdrawn: boolean
}

/** Whoever looks for an app that changes data finds it without reading every line. */
const scopeLine = ({ scopes, allowedApps }: Texts, scope: string): Html =>
  isScope(scope)
    ? html`<li>${scopes[scope].title} ${isWriteScope(scope) && badge(allowedApps.changes, 'warn')}</li>`
    : html`<li>${scope}</li>`

const seen = ({ consent }: Texts, app: AllowedApp): string[] => [
  consent.claims.sub,
  ...app.claims.map(claim => consent.claims[claim]),
]

/** In the language in which it was read, whatever the page's. */
const shownWords = (view: View, { shown }: AllowedApp): Html =>
  shown === undefined
    ? nothing
    : html`<details><summary>${view.texts.allowedApps.shown}</summary>
<blockquote${attributes({ lang: shown.language, dir: isLanguage(shown.language) && directionOf(shown.language) })}><p>${shown.heading}</p>
<ul>${shown.scopes.map(({ title, text }) => html`<li><strong>${title}</strong> ${text}</li>`)}
${shown.claims.map(({ title }) => html`<li>${title}</li>`)}</ul></blockquote>
<p class="soft">${fill(view.texts.allowedApps.shownVersion, { version: html`<code>${shown.version}</code>` })}</p></details>`

const appLine = (view: View, app: AllowedApp): Html => {
  const { allowedApps } = view.texts
  return html`<li>${avatar(app.name, app.logo)}<div><h2><bdi>${app.name}</bdi></h2>
<p class="soft">${fill(allowedApps.by, { owner: app.owner })} · ${fill(allowedApps.allowedOn, { date: dayOf(view, app.allowedAt) })}</p>
<p class="soft">${allowedApps.does}</p><ul class="inline-list">${app.scopes.map(scope => scopeLine(view.texts, scope))}</ul>
<p class="soft">${allowedApps.sees}</p><ul class="inline-list">${seen(view.texts, app).map(name => html`<li>${name}</li>`)}</ul>
${shownWords(view, app)}</div>
${linkButton({
  href: `/account/apps/${app.id}/withdraw`,
  text: allowedApps.withdraw,
  size: 'small',
  look: 'danger',
  label: fillText(allowedApps.withdrawNamed, { app: app.name }),
})}</li>`
}

export const allowedAppsPage = (view: View, { apps, withdrawn }: AllowedAppsParts): Html => {
  const { allowedApps } = view.texts
  return accountPage(view, {
    section: 'apps',
    title: allowedApps.title,
    text: allowedApps.text,
    news: withdrawn ? notice({ tone: 'good', text: allowedApps.withdrawn }) : undefined,
    main:
      apps.length === 0
        ? emptyState({ title: allowedApps.empty, text: allowedApps.emptyText })
        : html`<ul class="card plain-list rows">${apps.map(app => appLine(view, app))}</ul>`,
  })
}

export const withdrawAppPage = (view: View, app: AllowedApp): Html => {
  const { allowedApps } = view.texts
  return confirmPage(view, {
    title: fillTitle(allowedApps.confirmTitle, { app: app.name }),
    text: allowedApps.confirmText,
    action: `/account/apps/${app.id}/withdraw`,
    button: allowedApps.withdraw,
    cancel: '/account/apps',
    section: 'account',
  })
}
