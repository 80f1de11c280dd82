// A series of numbers → an SVG bar chart. The table beside it has the same data, for screen readers.
import { attributes, type Html, html } from '../pieces/html.ts'

interface ChartPoint {
  readonly label: string
  readonly value: number
  /** The part of the value drawn as errors. */
  readonly bad?: number
}

export interface ChartParts {
  /** Also the accessible name of the chart. */
  readonly title: string
  /** One sentence with the total or the maximum. */
  readonly summary: string
  readonly points: readonly ChartPoint[]
}

const WIDTH = 600
const HEIGHT = 140
const BASE = 118
const TOP = 8
const GAP = 0.25

const round = (number: number): number => Math.round(number * 10) / 10

/** The smallest round number (1, 2 or 5 times a power of ten) that is at least the maximum. */
export const niceCeiling = (highest: number): number => {
  if (highest <= 1) return 1
  const magnitude = 10 ** Math.floor(Math.log10(highest))
  const step = [1, 2, 5, 10].find(factor => factor * magnitude >= highest) ?? 10
  return step * magnitude
}

const bar = (place: number, width: number, height: number, look: string): Html =>
  html`<rect${attributes({ class: look, x: round(place), y: round(BASE - height), width: round(width), height: round(height), rx: 1.5 })}></rect>`

const barsOf = (points: readonly ChartPoint[], ceiling: number): Html[] => {
  const slot = WIDTH / Math.max(points.length, 1)
  const heightOf = (value: number): number => (Math.min(value, ceiling) / ceiling) * (BASE - TOP)
  return points.flatMap(({ value, bad = 0 }, index) => {
    const place = index * slot + (slot * GAP) / 2
    const width = slot * (1 - GAP)
    return [
      ...(value > 0 ? [bar(place, width, Math.max(heightOf(value), 1.5), 'bar')] : []),
      ...(bad > 0 ? [bar(place, width, Math.max(heightOf(bad), 1.5), 'bar bad')] : []),
    ]
  })
}

const axis = (
  points: readonly ChartPoint[],
  ceiling: number,
): Html => html`<line class="axis" x1="0" y1="${BASE}" x2="${WIDTH}" y2="${BASE}"></line>
<line class="axis faint" x1="0" y1="${TOP}" x2="${WIDTH}" y2="${TOP}"></line>
<text class="axis-text" x="0" y="${TOP + 12}">${ceiling}</text>
<text class="axis-text" x="0" y="${HEIGHT - 6}">${points[0]?.label ?? ''}</text>
<text class="axis-text" x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">${points.at(-1)?.label ?? ''}</text>`

/** Time runs from left to right in every script. */
export const chart = ({ title, summary, points }: ChartParts): Html => {
  const ceiling = niceCeiling(Math.max(0, ...points.map(({ value }) => value)))
  return html`<figure class="chart"><figcaption><strong>${title}</strong> <span class="soft">${summary}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${`${title}. ${summary}`}" direction="ltr">${axis(points, ceiling)}${barsOf(points, ceiling)}</svg></figure>`
}
