// Whether something holds for whatever is made up. What is made up is the same in every run, so that a test which passed
// passes again; PROPERTY_SEED and PROPERTY_RUNS look further.
import fc from 'fast-check'

interface Effort {
  readonly runs?: number
  /** A slow machine tries fewer, unless a number of runs was asked for. */
  readonly seconds?: number
}

const seed = Number(process.env.PROPERTY_SEED ?? 1447)

const effortOf = ({ runs = 100, seconds }: Effort): fc.Parameters<unknown> => {
  if (process.env.PROPERTY_RUNS !== undefined) return { numRuns: Number(process.env.PROPERTY_RUNS) }
  return { numRuns: runs, ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000 }) }
}

export const holds = async <T>(property: fc.IRawProperty<T>, effort: Effort = {}): Promise<void> => {
  await fc.assert(property as fc.IRawProperty<unknown>, { ...effortOf(effort), seed, includeErrorInReport: true })
}
