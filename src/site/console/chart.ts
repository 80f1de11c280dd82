// A series of numbers → an SVG bar chart with axes, a legend, and a tip for each point. The table beside it has the same data.
import { attributes, type Html, html, nothing } from '../pieces/html.ts'

interface ChartPoint {
  readonly label: string
  readonly value: number
  /** The part of the value drawn as errors. */
  readonly bad?: number
  /** The value one period earlier. */
  readonly before?: number
  /** All of it in words. */
  readonly tip?: string
}

export interface ChartParts {
  /** Also the accessible name of the chart. */
  readonly title: string
  /** One sentence with the total or the maximum. */
  readonly summary: string
  readonly points: readonly ChartPoint[]
  readonly format?: (value: number) => string
  /** What each colour means. */
  readonly legend?: { readonly value: string; readonly bad?: string; readonly before?: string }
  /** The name of the slider that goes through the points. */
  readonly slider?: string
}

const WIDTH = 600
const HEIGHT = 160
const BASE = 128
const TOP = 14
const LEFT = 62
const GAP = 0.25

const round = (number: number): number => Math.round(number * 10) / 10

/** The smallest round number (1, 2 or 5 times a power of ten) that is at least the maximum. */
export const niceCeiling = (highest: number): number => {
  if (highest <= 1) return 1
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 5, 10].find(factor => factor * magnitude >= highest) ?? 10
  return step * magnitude
}

const heightOf = (value: number, ceiling: number): number => (Math.min(value, ceiling) / ceiling) * (BASE - TOP)

const slotOf = (points: readonly ChartPoint[]): number => (WIDTH - LEFT) / Math.max(points.length, 1)

const bar = (place: number, width: number, height: number, look: string): Html =>
  html`<rect${attributes({ class: look, x: round(place), y: round(BASE - height), width: round(width), height: round(height), rx: 1.5 })}></rect>`

const barsOf = (points: readonly ChartPoint[], ceiling: number): Html[] => {
  const slot = slotOf(points)
  return points.flatMap(({ value, bad = 0 }, index) => {
    const place = LEFT + index * slot + (slot * GAP) / 2
    const width = slot * (1 - GAP)
    return [
      ...(value > 0 ? [bar(place, width, Math.max(heightOf(value, ceiling), 1.5), 'bar')] : []),
      ...(bad > 0 ? [bar(place, width, Math.max(heightOf(bad, ceiling), 1.5), 'bar bad')] : []),
    ]
  })
}

/** The period before, as a line with steps over the bars. */
const lineBefore = (points: readonly ChartPoint[], ceiling: number): Html => {
  if (points.every(({ before = 0 }) => before === 0)) return nothing
  const slot = slotOf(points)
  const steps = points.map(({ before = 0 }, index) => {
    const y = round(BASE - heightOf(before, ceiling))
    return `${index === 0 ? 'M' : 'L'}${round(LEFT + index * slot)} ${y}H${round(LEFT + (index + 1) * slot)}`
  })
  return html`<path class="before" d="${steps.join('')}"></path>`
}

/** Pointed at, each says its values; our script also goes through them by keyboard. */
const slotsOf = (points: readonly ChartPoint[]): Html[] => {
  const slot = round(slotOf(points))
  return points.map(
    ({ label, value, tip = `${label}: ${value}` }, index) =>
      html`<g class="slot"><title>${tip}</title><path d="M${round(LEFT + index * slotOf(points))} ${TOP}h${slot}V${BASE}h-${slot}z"></path></g>`,
  )
}

const valueAxis = (ceiling: number, format: (value: number) => string): Html[] =>
  (ceiling === 1 ? [0, 1] : [0, ceiling / 2, ceiling]).map(value => {
    const y = round(BASE - heightOf(value, ceiling))
    return html`<line class="axis${value > 0 && ' faint'}" x1="${LEFT}" y1="${y}" x2="${WIDTH}" y2="${y}"></line>
<text class="axis-text" x="${LEFT - 8}" y="${y + 4}" text-anchor="end">${format(value)}</text>`
  })

const timeAxis = (points: readonly ChartPoint[]): Html[] => {
  const last = points.length - 1
  const places = [...new Set([0, Math.round(last / 3), Math.round((2 * last) / 3), last])].filter(place => place >= 0)
  return places.map(place => {
    const anchor = place === 0 ? 'start' : place === last ? 'end' : 'middle'
    const x = place === 0 ? LEFT : place === last ? WIDTH : LEFT + (place + 0.5) * slotOf(points)
    return html`<text class="axis-text" x="${round(x)}" y="${HEIGHT - 8}" text-anchor="${anchor}">${points[place]?.label}</text>`
  })
}

const legendOf = (legend: ChartParts['legend']): Html => {
  if (legend === undefined) return nothing
  const entry = (look: string, text: string | undefined): Html =>
    text === undefined ? nothing : html`<li><span class="key ${look}" aria-hidden="true"></span>${text}</li>`
  return html`<ul class="legend plain-list">${entry('value', legend.value)}${entry('bad', legend.bad)}${entry('before', legend.before)}</ul>`
}

/** Time runs from left to right in every script. */
export const chart = ({ title, summary, points, legend, slider, format = String }: ChartParts): Html => {
  const ceiling = niceCeiling(Math.max(0, ...points.map(({ value, before = 0 }) => Math.max(value, before))))
  return html`<figure class="chart"${attributes({ 'data-slider': slider })}><figcaption><strong>${title}</strong> <span class="soft">${summary}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${title}. ${summary}`}" direction="ltr">${valueAxis(ceiling, format)}${timeAxis(points)}${barsOf(points, ceiling)}${lineBefore(points, ceiling)}${slotsOf(points)}</svg>${legendOf(legend)}</figure>`
}
