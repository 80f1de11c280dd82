// One result → an SVG bar chart of requests per second, readable on light and dark backgrounds.
import type { Result } from '../measure/rounds.ts'

const WIDTH = 720
const LABEL = 210
const VALUE = 120
const ROW = 30
const TOP = 44

const asText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const style = `
  text { font: 14px system-ui, sans-serif; fill: #1f2933 } .title { font-weight: 600; font-size: 16px } .bar { fill: #9aa5b1 }
  .ours { fill: #0b7a5a } .value { font-variant-numeric: tabular-nums }
  @media (prefers-color-scheme: dark) { text { fill: #e4e7eb } .bar { fill: #616e7c } .ours { fill: #3ebd93 } }`

export const barChart = ({ title, figures }: Result): string => {
  const most = Math.max(...figures.map(({ requestsPerSecond }) => requestsPerSecond))
  const rows = figures.map(({ contender, requestsPerSecond, ratio }, index) => {
    const y = TOP + index * ROW
    const width = Math.max(2, Math.round(((WIDTH - LABEL - VALUE) * requestsPerSecond) / most))
    const value = `${Math.round(requestsPerSecond).toLocaleString('en-US')}/s${index === 0 ? '' : ` · ${ratio.toFixed(2)} ×`}`
    return [
      `<text x="${LABEL - 10}" y="${y + 16}" text-anchor="end">${asText(contender)}</text>`,
      `<rect class="${index === 0 ? 'ours' : 'bar'}" x="${LABEL}" y="${y}" width="${width}" height="22" rx="3"/>`,
      `<text class="value" x="${LABEL + width + 8}" y="${y + 16}">${value}</text>`,
    ].join('')
  })
  const height = TOP + figures.length * ROW + 6
  const words = figures
    .map(({ contender, requestsPerSecond }) => `${contender} ${Math.round(requestsPerSecond)}`)
    .join(', ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${asText(`${title}, requests per second: ${words}`).replaceAll('"', '&quot;')}">
<style>${style}
</style>
<text class="title" x="0" y="22">${asText(title)}: requests per second</text>
${rows.join('\n')}
</svg>
`
}
