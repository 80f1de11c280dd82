// An app's usage → charts, the same data as tables, totals by key, errors by code, and queries worth looking at.
import type { App } from '../../apps/app.ts'
import type { KeyUsage, QueryLine, UsageSpan } from '../../apps/read-usage.ts'
import type { ErrorLine } from '../../apps/requests/errors.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from '../pieces/buttons.ts'
import { momentOf, scrolledCode, table } from '../pieces/data.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'
import { appFrame, appPath } from './app-frame.ts'
import { chartScript } from './chart-script.ts'
import { errorLink } from './error-link.ts'
import { numberOf, pointTable, sumOf, type UsageSeries, usageCharts } from './usage-charts.ts'

export interface UsageParts extends UsageSeries {
  readonly app: App
  readonly keyId: string | undefined
  /** Of all keys and tokens, by code. */
  readonly errors: readonly ErrorLine[]
  readonly keys: readonly KeyUsage[]
  readonly queries: readonly QueryLine[]
}

const spans: readonly UsageSpan[] = ['hour', 'day', 'month']

const usagePath = (app: App, span: UsageSpan, keyId: string | undefined): string =>
  `${appPath(app.id, 'usage')}?span=${span}${keyId === undefined ? '' : `&key=${encodeURIComponent(keyId)}`}`

const spanLinks = (view: View, { app, span, keyId }: UsageParts): Html => {
  const { usage } = view.texts
  return html`<nav class="spans" aria-label="${usage.spanLabel}"><ul class="plain-list">${spans.map(
    choice =>
      html`<li><a class="button small" href="${usagePath(app, choice, keyId)}"${attributes({ 'aria-current': choice === span && 'true' })}>${usage.spans[choice]}</a></li>`,
  )}</ul></nav>`
}

const keyTable = (view: View, { app, span, keys, keyId }: UsageParts): Html => {
  const { usage } = view.texts
  const nameOf = (key: KeyUsage): Html =>
    key.keyId === null
      ? html`${usage.tokens}`
      : html`<a href="${usagePath(app, span, key.keyId)}"${attributes({ 'aria-current': key.keyId === keyId && 'true' })}><bdi>${key.name}</bdi></a>`
  return html`<h2 class="spaced">${usage.byKey}</h2>${keyId !== undefined && html`<p><a href="${usagePath(app, span, undefined)}">${usage.allKeys}</a></p>`}
${table({
  caption: usage.byKey,
  head: [usage.key, usage.requests, usage.errors, usage.rows],
  numbers: [1, 2, 3],
  rows: keys.map(key => [
    nameOf(key),
    numberOf(view, key.requests),
    numberOf(view, key.errors),
    numberOf(view, key.rows),
  ]),
})}`
}

const errorTable = (view: View, { errors }: UsageParts): Html => {
  const { usage } = view.texts
  if (errors.length === 0) return html`<h2 class="spaced">${usage.byCode}</h2><p class="soft">${usage.noErrors}</p>`
  return html`<h2 class="spaced">${usage.byCode}</h2><p class="soft">${usage.byCodeText}</p>${table({
    caption: usage.byCode,
    head: [usage.code, usage.errors, usage.lastSeen, usage.query],
    numbers: [1],
    cards: true,
    rows: errors.map(({ code, errors: count, lastAt, query }) => [
      errorLink(code),
      numberOf(view, count),
      momentOf(view, lastAt),
      query === null ? '' : scrolledCode(query),
    ]),
  })}`
}

const queryTable = (view: View, title: string, none: string, lines: readonly QueryLine[]): Html => {
  const { usage } = view.texts
  if (lines.length === 0) return html`<h2 class="spaced">${title}</h2><p class="soft">${none}</p>`
  return html`<h2 class="spaced">${title}</h2>${table({
    caption: title,
    head: [usage.query, usage.reason, usage.milliseconds, usage.time],
    numbers: [2],
    rows: lines.map(({ query, reason, milliseconds, at }) => [
      scrolledCode(query),
      reason ?? '',
      numberOf(view, milliseconds),
      momentOf(view, at),
    ]),
  })}`
}

const nothingYet = (view: View, app: App): Html => {
  const { usage, console } = view.texts
  const action = linkButton({ href: appPath(app.id, 'start'), text: console.toStart, look: 'primary' })
  return emptyState({ title: usage.empty, text: usage.emptyText, action })
}

export const usagePage = (view: View, parts: UsageParts): Html => {
  const { usage } = view.texts
  const busy = sumOf(parts.points, 'requests') > 0
  const refused = parts.queries.filter(({ outcome }) => outcome === 'refused')
  const slow = parts.queries.filter(({ outcome }) => outcome === 'slow')
  return appFrame(view, {
    app: parts.app,
    section: 'usage',
    main: html`${spanLinks(view, parts)}
${busy ? html`<div class="card">${usageCharts(view, parts)}${pointTable(view, parts)}<p class="soft small">${usage.updated}</p></div>${keyTable(view, parts)}` : nothingYet(view, parts.app)}
${errorTable(view, parts)}${queryTable(view, usage.slowQueries, usage.noSlow, slow)}${queryTable(view, usage.refusedQueries, usage.noRefused, refused)}
<script src="${chartScript.path}" defer></script>`,
  })
}
