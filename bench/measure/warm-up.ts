// A contender → run until it is no longer getting faster: compilers and caches of a server need thousands of requests, and on a
// slow machine those take longer than any fixed time.

interface Runnable {
  run(milliseconds: number): Promise<{ readonly requestsPerSecond: number }>
}

/** Slices in a row that bring nothing, and slices in all. */
const STEADY_SLICES = 5
const MOST_SLICES = 30
/** Less than this is noise. */
const FASTER = 1.03

export const warmUp = async (contender: Runnable, milliseconds: number): Promise<number> => {
  let best = 0
  let steady = 0
  let slices = 0
  while (steady < STEADY_SLICES && slices < MOST_SLICES) {
    const { requestsPerSecond } = await contender.run(milliseconds)
    slices += 1
    steady = requestsPerSecond > best * FASTER ? 0 : steady + 1
    best = Math.max(best, requestsPerSecond)
  }
  return slices
}
