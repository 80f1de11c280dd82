// The usage of an app, and of the period before → charts, and the same data as a table.
import type { UsagePoint, UsageSpan } from '../../apps/read-usage.ts'
import type { View } from '../frame/view.ts'
import { momentOf, table } from '../pieces/data.ts'
import { fillText } from '../pieces/fill.ts'
import { type Html, html } from '../pieces/html.ts'
import { chart } from './chart.ts'

export interface UsageSeries {
  readonly span: UsageSpan
  readonly points: readonly UsagePoint[]
  /** As many, one period earlier. */
  readonly before: readonly UsagePoint[]
}

const labelOf = ({ language }: View, span: UsageSpan, at: Date): string =>
  new Intl.DateTimeFormat(
    language,
    span === 'month'
      ? { day: 'numeric', month: 'short', timeZone: 'UTC' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
  ).format(at)

export const numberOf = ({ language }: View, value: number): string => new Intl.NumberFormat(language).format(value)

const shortNumber = ({ language }: View, value: number): string =>
  new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 }).format(value)

export const sumOf = (points: readonly UsagePoint[], name: 'requests' | 'errors' | 'rows'): number =>
  points.reduce((sum, point) => sum + point[name], 0)

/** How much more or less than in the period before. */
const comparison = (view: View, now: number, before: number): string => {
  const { usage } = view.texts
  if (before === 0) return usage.noneBefore
  const percent = new Intl.NumberFormat(view.language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  })
  return fillText(usage.compared, { change: percent.format(now / before - 1) })
}

/** Of one kind of number: the total and how it compares, the bars, and the line of the period before. */
const countChart = (view: View, { span, points, before }: UsageSeries, name: 'requests' | 'rows'): Html => {
  const { usage } = view.texts
  const withErrors = name === 'requests'
  const [now, then] = [sumOf(points, name), sumOf(before, name)]
  const errors = withErrors ? `; ${usage.errors}: ${numberOf(view, sumOf(points, 'errors'))}` : ''
  return chart({
    title: withErrors ? `${usage.requests}, ${usage.errors}` : usage[name],
    summary: `${fillText(usage.total, { count: numberOf(view, now) })}${errors}; ${comparison(view, now, then)}`,
    format: value => shortNumber(view, value),
    slider: usage.slider,
    legend: { value: usage[name], ...(withErrors ? { bad: usage.errors } : {}), before: usage.before },
    points: points.map((point, index) => {
      const label = labelOf(view, span, point.at)
      const earlier = before[index]?.[name] ?? 0
      const bad = withErrors ? `, ${usage.errors}: ${numberOf(view, point.errors)}` : ''
      const tip = `${label} UTC: ${usage[name]}: ${numberOf(view, point[name])}${bad}, ${usage.before}: ${numberOf(view, earlier)}`
      return { label, value: point[name], ...(withErrors ? { bad: point.errors } : {}), before: earlier, tip }
    }),
  })
}

const latencyChart = (view: View, { span, points, before }: UsageSeries): Html => {
  const { usage } = view.texts
  return chart({
    title: usage.latency,
    summary: fillText(usage.highest, {
      count: numberOf(view, Math.max(0, ...points.map(({ slowest }) => slowest ?? 0))),
    }),
    format: value => shortNumber(view, value),
    slider: usage.slider,
    legend: { value: usage.slowest, before: usage.before },
    points: points.map((point, index) => {
      const label = labelOf(view, span, point.at)
      const [value, earlier] = [point.slowest ?? 0, before[index]?.slowest ?? 0]
      const tip = `${label} UTC: ${usage.slowest}: ${numberOf(view, value)}, ${usage.before}: ${numberOf(view, earlier)}`
      return { label, value, before: earlier, tip }
    }),
  })
}

export const usageCharts = (view: View, series: UsageSeries): Html =>
  html`${countChart(view, series, 'requests')}${countChart(view, series, 'rows')}${latencyChart(view, series)}`

export const pointTable = (view: View, { points, before }: UsageSeries): Html => {
  const { usage } = view.texts
  const busy = points
    .map((point, index) => ({ ...point, earlier: before[index]?.requests ?? 0 }))
    .filter(({ requests, earlier }) => requests > 0 || earlier > 0)
  return html`<details><summary>${usage.asTable}</summary>${table({
    caption: usage.title,
    head: [usage.time, usage.requests, usage.before, usage.errors, usage.rows, usage.median, usage.slowest],
    numbers: [1, 2, 3, 4, 5, 6],
    rows: busy.map(point => [
      momentOf(view, point.at),
      numberOf(view, point.requests),
      numberOf(view, point.earlier),
      numberOf(view, point.errors),
      numberOf(view, point.rows),
      point.median ?? '',
      point.slowest ?? '',
    ]),
  })}</details>`
}
