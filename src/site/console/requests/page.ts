// The latest requests of an app, as they come in. The script asks for this page again and again; without it, reloading does the same.
import { readFileSync } from 'node:fs'
import type { App } from '../../../apps/app.ts'
import type { ListedRequest } from '../../../apps/requests/tail.ts'
import { type Asset, createAsset } from '../../frame/assets.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton } from '../../pieces/buttons.ts'
import { momentOf, scrolledCode, table } from '../../pieces/data.ts'
import { type Html, type HtmlPart, html } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { appFrame, appPath } from '../app-frame.ts'
import { errorLink } from '../error-link.ts'

export const requestsScript: Asset = createAsset(
  'requests.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/requests.js', import.meta.url)),
)

const tones = { answered: 'good', refused: 'warn', failed: 'bad' } as const

const outcomeOf = (view: View, { outcome, code }: ListedRequest): HtmlPart =>
  code === null ? badge(view.texts.requests.outcomes[outcome], tones[outcome]) : errorLink(code)

const requestTable = (view: View, requests: readonly ListedRequest[]): Html => {
  const { requests: words, usage } = view.texts
  const number = new Intl.NumberFormat(view.language)
  return table({
    caption: words.title,
    head: [usage.time, words.outcome, usage.key, usage.milliseconds, usage.rows, usage.query],
    numbers: [3, 4],
    cards: true,
    rows: requests.map(one => [
      momentOf(view, one.at),
      outcomeOf(view, one),
      one.key === null ? usage.tokens : html`<bdi>${one.key}</bdi>`,
      number.format(one.milliseconds),
      number.format(one.rows),
      scrolledCode(one.query),
    ]),
  })
}

export const requestsPage = (
  view: View,
  { app, requests }: { readonly app: App; readonly requests: readonly ListedRequest[] },
): Html => {
  const { requests: words } = view.texts
  const list =
    requests.length === 0 ? emptyState({ title: words.empty, text: words.emptyText }) : requestTable(view, requests)
  return appFrame(view, {
    app,
    section: 'requests',
    main: html`<section class="card"><h2>${words.title}</h2><p class="soft">${words.lead}</p>
<p role="status" class="small" id="requests-state" data-live="${words.live}" data-ended="${words.ended}" data-away="${words.away}"></p>
<div id="requests">${list}</div>
${actions(linkButton({ href: appPath(app.id, 'requests'), text: words.reload }))}</section>
<script src="${requestsScript.path}" defer></script>`,
  })
}
