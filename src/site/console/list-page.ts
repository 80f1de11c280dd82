// A developer's apps → the first page of the console.
import type { App } from '../../apps/app.ts'
import type { Draft } from '../../apps/drafts.ts'
import type { SignsOf } from '../../apps/read-signs.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { linkButton } from '../pieces/buttons.ts'
import { momentOf } from '../pieces/data.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { emptyState, notice, shownState, stateBadge } from '../pieces/notices.ts'
import { localTimes } from '../pieces/times/times.ts'
import { appPath } from './app-frame.ts'
import { draftList } from './drafts/list.ts'
import { nextStepOf } from './next-steps.ts'
import { SELF_DESCRIBED_PATH } from './self-described/routes.ts'

const NEW_APP = '/console/apps/new'

export interface ListParts {
  readonly apps: readonly App[]
  readonly signs: SignsOf
  readonly drafts: readonly Draft[]
  /** A draft was just saved. */
  readonly saved: boolean
  /** The name of an app that was just deleted. */
  readonly deleted: string | undefined
}

const appLine = (view: View, app: App, signs: SignsOf): Html => html`<li>${avatar(app.name, app.logo)}<div>
<h2><a href="${appPath(app.id)}"><bdi>${app.name}</bdi></a> ${stateBadge(view, shownState(app))}</h2>
<p class="soft clamp"><bdi>${app.description}</bdi></p>${nextStepOf(view, app, signs(app.id))}
<p class="soft small">${view.texts.console.created} ${momentOf(view, app.createdAt)}</p></div></li>`

export const consolePage = (view: View, { apps, signs, drafts, saved, deleted }: ListParts): Html => {
  const texts = view.texts.console
  const register = linkButton({ href: NEW_APP, text: texts.newApp, look: 'primary' })
  const list =
    apps.length === 0
      ? emptyState({ title: texts.empty, text: texts.emptyText, action: register })
      : html`<div class="card"><ul class="plain-list rows app-list">${apps.map(app => appLine(view, app, signs))}</ul></div>${register}`
  return page(view, {
    title: texts.title,
    section: 'console',
    head: localTimes,
    main: html`<div class="page-head"><h1>${texts.title}</h1><p class="lead">${texts.lead}</p></div>
${deleted !== undefined && notice({ tone: 'good', text: fill(texts.deletedNotice, { app: deleted }) })}${saved && notice({ tone: 'good', text: view.texts.drafts.savedNotice })}${draftList(view, drafts)}${list}
${(view.user?.isReviewer === true || view.user?.isAdmin === true) && html`<p class="spaced"><a href="${SELF_DESCRIBED_PATH}">${view.texts.selfDescribed.title}</a></p>`}`,
  })
}
