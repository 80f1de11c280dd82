// Results → Markdown tables, for the terminal and results.md.
import type { Figures, Result } from '../measure/rounds.ts'
import type { Reading, Verdict } from './bars.ts'

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const milliseconds = (value: number | undefined): string =>
  value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 1)
const orDash = (value: number, text: string): string => (value > 0 ? text : '–')

const figureRow = (figures: Figures): string[] => [
  figures.contender,
  whole(figures.requestsPerSecond),
  `± ${(figures.spread * 100).toFixed(0)} %`,
  milliseconds(figures.p50),
  milliseconds(figures.p99),
  orDash(figures.serverCpu, figures.serverCpu.toFixed(3)),
  orDash(figures.databaseCpu, figures.databaseCpu.toFixed(3)),
  orDash(figures.memory, whole(figures.memory)),
  figures.ratio.toFixed(2),
  figures.interval === undefined ? '–' : `${figures.interval.low.toFixed(2)}–${figures.interval.high.toFixed(2)}`,
]

/** Pads the columns, so that the source is readable too. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(Math.max(0, width - 1))}:`,
  )
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const FIGURE_HEAD = [
  '',
  'requests/s',
  'spread',
  'p50 ms',
  'p99 ms',
  'CPU s/1000',
  'database CPU',
  'MiB',
  'ratio',
  '95 %',
]

export const resultTable = ({ figures }: Result): string => markdownTable(FIGURE_HEAD, figures.map(figureRow))

export const readingTable = (readings: readonly Reading[]): string =>
  markdownTable(
    ['', 'figure', 'remark'],
    readings.map(({ title, value, unit, note }) => [title, `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`, note ?? '']),
  )

export const verdictTable = (verdicts: readonly Verdict[]): string =>
  markdownTable(
    ['bar', 'asked', 'reached', ''],
    verdicts.map(({ what, asked, reached, verdict }) => [
      what,
      asked,
      reached,
      verdict === 'missed' ? '**missed**' : verdict,
    ]),
  )
