// All results → results.md and the charts of the documentation, and every round as JSON in bench/out.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Options } from '../options.ts'
import type { Findings, Verdict } from './bars.ts'
import { barChart } from './chart.ts'
import type { Machine } from './machine.ts'
import { withPart } from './part-of-page.ts'
import { PER_CORE, PER_CORE_HEAD, perCoreTable } from './per-core.ts'
import { readingTable, resultTable, verdictTable } from './table.ts'

export interface Report extends Findings {
  readonly machine: Machine
  readonly verdicts: readonly Verdict[]
  readonly options: Options
  readonly measuredAt: string
  readonly remarks: readonly string[]
  /** Signs that the machine did other work; such a report is not published. */
  readonly busy: readonly string[]
}

const busyText = (busy: readonly string[]): string =>
  busy.length === 0
    ? 'Nothing else ran on the machine.'
    : `**The machine was busy with other work** (${busy.join('; ')}): read the ratios as rough, the rates as too low.`

const machineText = ({ machine, options, measuredAt, busy }: Report): string => {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`)
  const { rounds, milliseconds } = options.timing
  return [
    `Measured ${measuredAt.slice(0, 10)} on ${machine.cores} cores of ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}.`,
    busyText(busy),
    `Versions: ${versions.join(', ')}.`,
    `Dataset: ${options.size} × the full one. ${rounds} alternating rounds of ${milliseconds / 1000} s, 32 connections; load generator, servers and database share the machine.`,
  ].join('\n')
}

/** Undefined if neither times nor pages were measured. */
const perCore = ({ results, verdicts, machine, measuredAt }: Report): string | undefined => {
  const table = perCoreTable(results, verdicts)
  const { cores, processor } = machine
  return table && `Measured ${measuredAt.slice(0, 10)} on ${cores} cores of ${processor}.\n\n${table}`
}

const perCorePart = (report: Report): readonly string[] => {
  const text = perCore(report)
  return text === undefined ? [] : [PER_CORE_HEAD, `${PER_CORE.begin}\n${text}\n${PER_CORE.end}`]
}

export const reportText = (report: Report): string =>
  [
    '# Results',
    "Written by `npm run bench`. The ratio is of requests per second to Minaret's in the same round, the median over the rounds, with its 95 % confidence interval; a bar is met when the whole interval is. The spread is half the distance between the slowest and the fastest round. CPU is in seconds per 1,000 requests: of the server's processes, and of PostgreSQL on their behalf.",
    machineText(report),
    ...report.remarks,
    ...perCorePart(report),
    '## Bars',
    verdictTable(report.verdicts),
    ...report.results.flatMap(result => [`## ${result.title}`, resultTable(result)]),
    ...(report.readings.length === 0 ? [] : ['## Other figures', readingTable(report.readings)]),
  ].join('\n\n')

const folder = (path: string): string => new URL(path, import.meta.url).pathname

/** A run of times and pages alone writes its part of the published results, and leaves the rest as it is. */
const publishPart = (report: Report): void => {
  const { only, canJudge, publish } = report.options
  const isWhole = ['times', 'pages'].every(name => only.includes(name))
  const text = perCore(report)
  if (!isWhole || !canJudge || publish || report.busy.length > 0 || text === undefined) return
  const page = folder('../results.md')
  writeFileSync(page, withPart(readFileSync(page, 'utf8'), PER_CORE, text))
}

/** Only a full run on a quiet machine replaces the published figures; others go to bench/out. */
export const writeReport = (report: Report): string => {
  const publish = report.options.publish && report.busy.length === 0
  const raw = folder('../out/')
  const target = folder(publish ? '../' : '../out/')
  const charts = folder(publish ? '../../docs/performance/' : '../out/charts/')
  for (const path of [raw, target, charts]) mkdirSync(path, { recursive: true })
  writeFileSync(`${target}results.md`, `${reportText(report)}\n`)
  writeFileSync(`${raw}results.json`, `${JSON.stringify(report, null, 2)}\n`)
  publishPart(report)
  for (const result of report.results) writeFileSync(`${charts}${result.name}.svg`, barChart(result))
  return target
}
