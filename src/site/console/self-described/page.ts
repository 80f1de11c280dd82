// Apps that describe themselves → a list for reviewers and administrators: nobody registered them, so nobody else's console has them.
import type { DescribedApp } from '../../../apps/hosts.ts'
import { page } from '../../frame/layout.ts'
import type { View } from '../../frame/view.ts'
import { copyButtons } from '../../pieces/copy/copy.ts'
import { momentOf, table } from '../../pieces/data.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { localTimes } from '../../pieces/times/times.ts'

const tones = { new: 'warn', approved: 'good', limited: 'info', blocked: 'bad' } as const

const appTable = (view: View, apps: readonly DescribedApp[]): Html => {
  const { selfDescribed: words, reviewHosts } = view.texts
  return table({
    caption: words.title,
    head: [words.app, words.host, reviewHosts.people, words.since, words.seen],
    numbers: [2],
    cards: true,
    rows: apps.map(app => [
      html`<bdi>${app.name}</bdi><br><code class="select-all" dir="ltr">${app.clientId}</code>`,
      html`<bdi dir="ltr">${app.host}</bdi> ${badge(reviewHosts.states[app.hostState], tones[app.hostState])}`,
      app.people,
      momentOf(view, app.createdAt),
      momentOf(view, app.seenAt),
    ]),
  })
}

export const selfDescribedPage = (view: View, apps: readonly DescribedApp[]): Html => {
  const { selfDescribed: words } = view.texts
  return page(view, {
    title: words.title,
    section: 'console',
    head: html`${copyButtons(view)}${localTimes}`,
    main: html`<div class="page-head"><h1>${words.title}</h1><p class="lead">${words.lead} <a href="/review/hosts">${words.decide}</a></p></div>
${apps.length === 0 ? emptyState({ title: words.empty, text: words.emptyText }) : appTable(view, apps)}`,
  })
}
