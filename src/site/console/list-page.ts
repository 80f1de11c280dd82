// A developer's apps → the first page of the console.
import type { App } from '../../apps/app.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { linkButton } from '../pieces/buttons.ts'
import { momentOf } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { emptyState, notice, stateBadge } from '../pieces/notices.ts'
import { appPath } from './app-frame.ts'

const NEW_APP = '/console/apps/new'

const appLine = (view: View, app: App): Html => html`<li>${avatar(app.name, app.logo)}<div>
<h2><a href="${appPath(app.id)}"><bdi>${app.name}</bdi></a> ${stateBadge(view, app.state)}</h2>
<p class="soft clamp">${app.description}</p>
<p class="soft small">${view.texts.console.created} ${momentOf(view, app.createdAt)}</p></div></li>`

export const consolePage = (view: View, apps: readonly App[], deleted: string | undefined): Html => {
  const texts = view.texts.console
  const register = linkButton({ href: NEW_APP, text: texts.newApp, look: 'primary' })
  const list =
    apps.length === 0
      ? emptyState({ title: texts.empty, text: texts.emptyText, action: register })
      : html`<div class="card"><ul class="plain-list rows app-list">${apps.map(app => appLine(view, app))}</ul></div>${register}`
  return page(view, {
    title: texts.title,
    section: 'console',
    main: html`<div class="page-head"><h1>${texts.title}</h1><p class="lead">${texts.lead}</p></div>
${deleted !== undefined && notice({ tone: 'good', text: fill(texts.deletedNotice, { app: deleted }) })}${list}`,
  })
}
