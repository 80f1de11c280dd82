// An app's usage → charts, the same data as tables, totals by key, and queries worth looking at.
import type { App } from '../../apps/app.ts'
import type { KeyUsage, QueryLine, UsagePoint, UsageSpan } from '../../apps/read-usage.ts'
import type { View } from '../frame/view.ts'
import { linkButton } from '../pieces/buttons.ts'
import { momentOf, scrolledCode, table } from '../pieces/data.ts'
import { fillText } from '../pieces/fill.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'
import { appFrame, appPath } from './app-frame.ts'
import { chart } from './chart.ts'

export interface UsageParts {
  readonly app: App
  readonly span: UsageSpan
  readonly keyId: string | undefined
  readonly points: readonly UsagePoint[]
  readonly keys: readonly KeyUsage[]
  readonly queries: readonly QueryLine[]
}

const spans: readonly UsageSpan[] = ['hour', 'day', 'month']

const labelOf = ({ language }: View, span: UsageSpan, at: Date): string =>
  new Intl.DateTimeFormat(
    language,
    span === 'month'
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
  ).format(at)

const numberOf = ({ language }: View, value: number): string => new Intl.NumberFormat(language).format(value)

const sumOf = (points: readonly UsagePoint[], name: 'requests' | 'errors' | 'rows'): number =>
  points.reduce((sum, point) => sum + point[name], 0)

const usagePath = (app: App, span: UsageSpan, keyId: string | undefined): string =>
  `${appPath(app.id, 'usage')}?span=${span}${keyId === undefined ? '' : `&key=${encodeURIComponent(keyId)}`}`

const spanLinks = (view: View, { app, span, keyId }: UsageParts): Html => {
  const { usage } = view.texts
  return html`<nav class="spans" aria-label="${usage.spanLabel}"><ul class="plain-list">${spans.map(
    choice =>
      html`<li><a class="button small" href="${usagePath(app, choice, keyId)}"${attributes({ 'aria-current': choice === span && 'true' })}>${usage.spans[choice]}</a></li>`,
  )}</ul></nav>`
}

const charts = (view: View, { span, points }: UsageParts): Html => {
  const { usage } = view.texts
  const total = (value: number): string => fillText(usage.total, { count: numberOf(view, value) })
  const label = (point: UsagePoint): string => labelOf(view, span, point.at)
  const slowest = Math.max(0, ...points.map(point => point.slowest ?? 0))
  return html`${chart({
    title: `${usage.requests}, ${usage.errors}`,
    summary: `${total(sumOf(points, 'requests'))}; ${usage.errors}: ${numberOf(view, sumOf(points, 'errors'))}`,
    points: points.map(point => ({ label: label(point), value: point.requests, bad: point.errors })),
  })}${chart({
    title: usage.rows,
    summary: total(sumOf(points, 'rows')),
    points: points.map(point => ({ label: label(point), value: point.rows })),
  })}${chart({
    title: usage.latency,
    summary: fillText(usage.highest, { count: numberOf(view, slowest) }),
    points: points.map(point => ({ label: label(point), value: point.slowest ?? 0 })),
  })}`
}

const pointTable = (view: View, { points }: UsageParts): Html => {
  const { usage } = view.texts
  const busy = points.filter(({ requests }) => requests > 0)
  return html`<details><summary>${usage.asTable}</summary>${table({
    caption: usage.title,
    head: [usage.time, usage.requests, usage.errors, usage.rows, usage.median, usage.slowest],
    numbers: [1, 2, 3, 4, 5],
    rows: busy.map(point => [
      momentOf(view, point.at),
      numberOf(view, point.requests),
      numberOf(view, point.errors),
      numberOf(view, point.rows),
      point.median ?? '',
      point.slowest ?? '',
    ]),
  })}</details>`
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
${busy ? html`<div class="card">${charts(view, parts)}${pointTable(view, parts)}<p class="soft small">${usage.updated}</p></div>${keyTable(view, parts)}` : nothingYet(view, parts.app)}
${queryTable(view, usage.slowQueries, usage.noSlow, slow)}${queryTable(view, usage.refusedQueries, usage.noRefused, refused)}`,
  })
}
