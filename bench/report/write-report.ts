// Everything measured → bench/results.md and bench/results.json, and the charts for the documentation.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Options } from '../options.ts'
import type { Findings, Verdict } from './bars.ts'
import { barChart } from './chart.ts'
import type { Machine } from './machine.ts'
import { readingTable, resultTable, verdictTable } from './table.ts'

export interface Report extends Findings {
  readonly machine: Machine
  readonly verdicts: readonly Verdict[]
  readonly options: Options
  readonly measuredAt: string
  readonly remarks: readonly string[]
}

/** The suite by itself keeps about three processes busy. */
const BUSY = 5

const busyText = ({ load, cores }: Machine): string =>
  load > BUSY
    ? `**The machine was busy with other work** (${load} processes for ${cores} cores): read the ratios as rough, the rates as too low.`
    : `Load average of the last five minutes: ${load}.`

const machineText = ({ machine, options, measuredAt }: Report): string => {
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`)
  const { rounds, milliseconds } = options.timing
  return [
    `Measured ${measuredAt.slice(0, 10)} on ${machine.cores} cores of ${machine.processor}, ${machine.memoryGiB} GiB, ${machine.system}.`,
    busyText(machine),
    `Versions: ${versions.join(', ')}.`,
    `Dataset: ${options.size} × the full one. ${rounds} alternating rounds of ${milliseconds / 1000} s, 32 connections; load generator, servers and database share the machine.`,
  ].join('\n')
}

export const reportText = (report: Report): string =>
  [
    '# Results',
    "Written by `npm run bench`. The ratio is of requests per second to Minaret's in the same round, the median over the rounds; the spread is half the distance between the slowest and the fastest round. CPU is in seconds per 1,000 requests: of the server's processes, and of PostgreSQL on their behalf.",
    machineText(report),
    ...report.remarks,
    '## Bars',
    verdictTable(report.verdicts),
    ...report.results.flatMap(result => [`## ${result.title}`, resultTable(result)]),
    ...(report.readings.length === 0 ? [] : ['## Other figures', readingTable(report.readings)]),
  ].join('\n\n')

const folder = (path: string): string => new URL(path, import.meta.url).pathname

/** Only a full run replaces the figures that the documentation shows, unless told to; others go to bench/out. */
export const writeReport = (report: Report): string => {
  const { publish } = report.options
  const target = folder(publish ? '../' : '../out/')
  const charts = folder(publish ? '../../docs/performance/' : '../out/charts/')
  for (const path of [target, charts]) mkdirSync(path, { recursive: true })
  writeFileSync(`${target}results.md`, `${reportText(report)}\n`)
  writeFileSync(`${target}results.json`, `${JSON.stringify(report, null, 2)}\n`)
  for (const result of report.results) writeFileSync(`${charts}${result.name}.svg`, barChart(result))
  return target
}
