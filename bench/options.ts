// Command-line arguments → what to run, for how long and on how much data.
import { parseArgs } from 'node:util'
import type { Timing } from './measure/rounds.ts'

/** A bar is judged only by at least this many rounds. */
export const JUDGED_ROUNDS = 20

export interface Options {
  /** Prefixes of scenario names; empty for all. */
  readonly only: readonly string[]
  readonly quick: boolean
  /** A multiple of the full dataset. */
  readonly size: number
  readonly profile: boolean
  readonly timing: Timing
  /** Writes the results and charts of the documentation, as a full run does. */
  readonly publish: boolean
  /** `--publish` was given: a run that cannot be published does not start. */
  readonly mustPublish: boolean
  /** Enough rounds on the full dataset for a verdict on the bars. */
  readonly canJudge: boolean
  /** Keeps the database in bench/out, so that the next run need not load it. */
  readonly keep: boolean
  /** How long the soak takes. */
  readonly minutes: number
}

export const USAGE = `Usage: npm run bench -- [OPTIONS]

  --only NAMES    only scenarios whose name begins so, for example: graphql.list,authorization
  --quick         small tables and one short round: under 3 minutes; bars are shown, but not judged
  --size FACTOR   a multiple of the full dataset (1: 5,000 masjids, 50,000 events, 200,000 members, 1,000,000 donations)
  --rounds N      how many alternating rounds (20; fewer give no verdicts)
  --seconds N     how long each round lasts
  --minutes N     how long the soak takes (10; 1 with --quick)
  --profile       CPU profiles of the hottest paths, in bench/out
  --publish       replace the results and charts of the documentation, which otherwise only a full run does;
                  refused while the machine is busy with other work
  --keep          keep the loaded database in bench/out for the next run
  --help          this text`

const number = (text: string | undefined, fallback: number): number => {
  const value = text === undefined ? fallback : Number(text)
  if (!(value > 0)) throw new Error(`"${text}" is not a number above 0.\n\n${USAGE}`)
  return value
}

const parse = (words: readonly string[]) => {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        size: { type: 'string' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        minutes: { type: 'string' },
        profile: { type: 'boolean', default: false },
        publish: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** Undefined if only the usage was requested. */
export const readOptions = (words: readonly string[]): Options | undefined => {
  const values = parse(words)
  if (values.help) return undefined
  const { quick, profile, keep } = values
  const rounds = number(values.rounds, quick ? 1 : JUDGED_ROUNDS)
  const size = number(values.size, quick ? 0.1 : 1)
  const milliseconds = number(values.seconds, quick ? 0.5 : 0.8) * 1000
  const canJudge = !quick && size >= 1 && rounds >= JUDGED_ROUNDS
  if (values.publish && !canJudge)
    throw new Error(
      `Only a run of at least ${JUDGED_ROUNDS} rounds on the full dataset is published, not a quick one.\n\n${USAGE}`,
    )
  return {
    only: values.only?.split(',').map(name => name.trim()) ?? [],
    quick,
    profile,
    keep,
    mustPublish: values.publish,
    publish: values.publish || (canJudge && values.only === undefined && size === 1),
    canJudge,
    size,
    minutes: number(values.minutes, quick ? 1 : 10),
    timing: {
      rounds,
      milliseconds,
      warmUpMilliseconds: quick ? 500 : Math.min(2000, milliseconds * 2.5),
    },
  }
}

/** `graphql` selects every scenario of the group; `graphql.list` selects that one, and therefore its group. */
export const isChosen = (name: string, { only }: Options): boolean =>
  only.length === 0 || only.some(chosen => name.startsWith(chosen) || chosen.startsWith(`${name}.`))
