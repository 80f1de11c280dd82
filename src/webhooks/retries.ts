// How often something is tried, and when next: over three days, ever later, never all at the same moment.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The pauses after each failed attempt: about three days in all. */
const pauses: readonly number[] = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  20 * HOUR,
]

/** A tenth more or less: receivers that were down are not met by everything at once. */
const JITTER = 0.1

/** @param attempts how many have failed; @returns undefined if that was the last one. */
export const pauseAfter = (attempts: number, random: () => number = Math.random): number | undefined => {
  const pause = pauses[attempts - 1]
  return pause === undefined ? undefined : Math.round(pause * (1 - JITTER + 2 * JITTER * random()))
}
