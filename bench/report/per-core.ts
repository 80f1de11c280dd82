// Results → what an app may expect of one core: times and pages first, with the bar of each.
import type { Result } from '../measure/rounds.ts'
import { BY_KEY, HEALTH, type Verdict } from './bars.ts'
import { type Place, placeOf } from './part-of-page.ts'
import { markdownTable } from './table.ts'

export const PER_CORE: Place = placeOf('times,pages')

export const PER_CORE_HEAD = `## What an app may expect per core

A core is spent by the service and by PostgreSQL together, whatever the load generator takes. Times are read from the database, with nothing kept in memory; pages come from
memory, as browsers ask for them: compressed, in several languages.`

/** In this order; what else was measured is in the tables of its own. */
const shown = [
  /^times\./,
  /^pages\./,
  /^graphql\.(by-key|list)$/,
  /^writing\.(insert|update)$/,
  /^authorization\.(client-credentials|refresh)$/,
]

/** Two digits that mean something. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en-US')

const rowOf = ({ title, figures }: Result, verdicts: readonly Verdict[]): readonly string[] => {
  const [ours] = figures
  const beside = figures.find(({ contender }) => contender === BY_KEY || contender === HEALTH)
  const bar = verdicts.find(({ what }) => what === `${title}, against ${beside?.contender}`)
  const perCore = 1000 / ((ours?.serverCpu ?? Number.NaN) + (ours?.databaseCpu ?? Number.NaN))
  return [
    title,
    rounded(perCore),
    ours?.serverCpu.toFixed(3) ?? '',
    ours?.databaseCpu.toFixed(3) ?? '',
    beside?.contender ?? '',
    bar?.reached ?? '',
    bar?.asked ?? '',
    bar?.verdict === 'missed' ? '**missed**' : (bar?.verdict ?? ''),
  ]
}

const HEAD = ['request', 'per core and second', 'service, ms', 'PostgreSQL, ms', 'beside', 'reached', 'asked', '']

/** Undefined if none of it was measured. */
export const perCoreTable = (results: readonly Result[], verdicts: readonly Verdict[]): string | undefined => {
  const rows = shown.flatMap(pattern => results.filter(({ name }) => pattern.test(name)))
  return rows.length === 0
    ? undefined
    : markdownTable(
        HEAD,
        rows.map(result => rowOf(result, verdicts)),
      )
}
