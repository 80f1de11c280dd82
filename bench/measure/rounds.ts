// Contenders of one scenario → their figures, measured in alternating rounds so that noise affects every contender equally.
import type { Progress } from '../report/progress.ts'
import { type Interval, median, medianInterval, spread } from './statistics.ts'
import { warmUp } from './warm-up.ts'

/** One round of one contender. */
export interface Sample {
  readonly requestsPerSecond: number
  /** Milliseconds; undefined where the contender does not report it (pgbench). */
  readonly p50: number | undefined
  readonly p99: number | undefined
  /** CPU seconds per 1,000 requests, of the server and of PostgreSQL separately. */
  readonly serverCpu: number
  readonly databaseCpu: number
  /** MiB of the server's processes at the end of the round. */
  readonly memory: number
  readonly requests: number
}

export interface Contender {
  readonly name: string
  run(milliseconds: number): Promise<Sample>
}

export interface Figures {
  readonly contender: string
  readonly requestsPerSecond: number
  readonly spread: number
  readonly p50: number | undefined
  readonly p99: number | undefined
  readonly serverCpu: number
  readonly databaseCpu: number
  readonly memory: number
  /** Requests per second relative to Minaret in the same round; the median over all rounds. */
  readonly ratio: number
  /** Of the ratio; undefined where there are too few rounds. */
  readonly interval: Interval | undefined
  readonly rounds: readonly Sample[]
}

export interface Scenario {
  /** `graphql.list`: the name that `--only` takes. */
  readonly name: string
  readonly title: string
  readonly contenders: readonly Contender[]
}

export interface Timing {
  readonly rounds: number
  readonly milliseconds: number
  /** Of one slice: with several rounds, a contender is first run until it no longer gets faster. */
  readonly warmUpMilliseconds: number
}

export interface Result {
  readonly name: string
  readonly title: string
  readonly figures: readonly Figures[]
}

const middle = (values: readonly (number | undefined)[]): number | undefined => {
  const known = values.filter(value => value !== undefined)
  return known.length === 0 ? undefined : median(known)
}

/** Compares contenders within a round, which run right after each other: noise affects both. */
const ratiosTo = (reference: readonly Sample[], rounds: readonly Sample[]): readonly number[] =>
  rounds.map((sample, index) => sample.requestsPerSecond / (reference[index]?.requestsPerSecond ?? Number.NaN))

const summarise = (contender: string, rounds: readonly Sample[], reference: readonly Sample[]): Figures => {
  const rates = rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  const ratios = ratiosTo(reference, rounds)
  return {
    contender,
    requestsPerSecond: median(rates),
    spread: spread(rates),
    p50: middle(rounds.map(({ p50 }) => p50)),
    p99: middle(rounds.map(({ p99 }) => p99)),
    serverCpu: median(rounds.map(({ serverCpu }) => serverCpu)),
    databaseCpu: median(rounds.map(({ databaseCpu }) => databaseCpu)),
    memory: Math.max(...rounds.map(({ memory }) => memory)),
    ratio: median(ratios),
    interval: rounds === reference ? undefined : medianInterval(ratios),
    rounds,
  }
}

/** The first contender is Minaret: the others are reported as ratios to it. */
export const measure = async (scenario: Scenario, timing: Timing, progress: Progress): Promise<Result> => {
  const { name, title, contenders } = scenario
  const samples = new Map<string, Sample[]>(contenders.map(contender => [contender.name, []]))
  for (const contender of contenders) {
    progress.step(`${name}: warming up ${contender.name}`)
    if (timing.rounds === 1) await contender.run(timing.warmUpMilliseconds)
    else await warmUp(contender, timing.warmUpMilliseconds)
  }
  for (let round = 1; round <= timing.rounds; round += 1)
    for (const contender of round % 2 === 1 ? contenders : contenders.toReversed()) {
      progress.step(`${name}: round ${round} of ${timing.rounds}, ${contender.name}`)
      samples.get(contender.name)?.push(await contender.run(timing.milliseconds))
    }
  const reference = samples.get(contenders[0]?.name ?? '') ?? []
  const figures = [...samples].map(([contender, rounds]) => summarise(contender, rounds, reference))
  progress.done(
    `${title}: ${figures.map(figure => `${figure.contender} ${Math.round(figure.requestsPerSecond)}/s`).join(', ')}`,
  )
  return { name, title, figures }
}
