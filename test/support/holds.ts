// Checks a property for generated values. The seed is new in every run and printed by it. With a fixed seed, as in
// CI, a short second pass with a new seed follows, so that every run also tries something new.
import fc from 'fast-check'

interface Effort<T> {
  readonly runs?: number
  /** Counter-examples from earlier runs: tried first, whatever the seed. */
  readonly cases?: readonly T[]
}

/** The fraction of the usual runs in the second pass. */
const SHORT = 0.1

const numberFrom = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : Number(text)
}

export const freshSeed = (): number => Math.trunc(Math.random() * 2 ** 31)

interface Pass {
  readonly seed: number
  /** Multiplies the number of runs of a test. */
  readonly effort: number
}

/** `PROPERTY_SEED` repeats a run, `PROPERTY_EFFORT` multiplies its size; `scripts/run-tests.ts` sets the new seed of a run. */
export const passes = (): readonly Pass[] => {
  const effort = numberFrom('PROPERTY_EFFORT') ?? 1
  const fresh = numberFrom('PROPERTY_FRESH_SEED') ?? freshSeed()
  const fixed = numberFrom('PROPERTY_SEED')
  if (fixed === undefined) return [{ seed: fresh, effort }]
  return [
    { seed: fixed, effort },
    { seed: fresh, effort: effort * SHORT },
  ]
}

/** Printed at the start of a run. */
export const describePasses = (): string => {
  const [first, second] = passes()
  const then = second === undefined ? '' : `, then a short pass with seed ${second.seed}`
  return `Property tests: seed ${first?.seed}${then}.`
}

const hint = (seed: number): string =>
  `Repeat it with PROPERTY_SEED=${seed}. Once fixed, keep the counter-example in \`cases\` of this property.`

/** How many values were tried. */
export const holds = async <T>(
  property: fc.IRawProperty<T>,
  { runs = 100, cases = [] }: Effort<T> = {},
): Promise<number> => {
  let tried = 0
  for (const { seed, effort } of passes()) {
    const numRuns = Math.max(5, Math.round(runs * effort)) + cases.length
    const details = await fc.check(property as fc.IRawProperty<unknown>, { seed, numRuns, examples: [...cases] })
    tried += details.numRuns
    if (details.failed)
      throw new Error(`${fc.defaultReportMessage(details)}\n${hint(seed)}`, { cause: details.errorInstance })
  }
  return tried
}

/** Values for requests that are sent one after the other, with the seeds of the run. */
export const sampleOf = <Value>(values: fc.Arbitrary<Value>, count: number): Value[] =>
  passes().flatMap(({ seed, effort }) => fc.sample(values, { seed, numRuns: Math.max(1, Math.round(count * effort)) }))

/** How many standard deviations the count may fall short of its expected share before a test fails. */
const DEVIATIONS = 5

/**
 * Whether enough of the generated values were interesting, for a property that trivially holds for the others.
 * `share` is the minimum expected. A few runs prove nothing, and pass.
 */
export const isOftenEnough = (seen: number, tried: number, share: number): boolean =>
  seen >= tried * share - DEVIATIONS * Math.sqrt(tried * share * (1 - share))
