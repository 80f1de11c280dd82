// Figures of several rounds → their median, spread, and the confidence interval of the median.

const sorted = (values: readonly number[]): readonly number[] => [...values].sort((a, b) => a - b)

export const median = (values: readonly number[]): number => {
  const inOrder = sorted(values)
  const middle = Math.floor(inOrder.length / 2)
  const upper = inOrder[middle] ?? Number.NaN
  return inOrder.length % 2 === 1 ? upper : ((inOrder[middle - 1] ?? upper) + upper) / 2
}

/** The value that so many of a hundred do not exceed; NaN if there are none. */
export const percentile = (values: readonly number[], percent: number): number =>
  sorted(values)[Math.ceil((values.length * percent) / 100) - 1] ?? Number.NaN

/** Half the range, as a share of the median: 0.05 is "± 5 %". */
export const spread = (values: readonly number[]): number =>
  values.length < 2 ? 0 : (Math.max(...values) - Math.min(...values)) / 2 / median(values)

export interface Interval {
  readonly low: number
  readonly high: number
}

export const CONFIDENCE = 0.95

/** The probability that at most `most` of `count` values lie below the true median: each does with probability 1/2. */
const chanceOfAtMost = (most: number, count: number): number => {
  let chance = 0.5 ** count
  let sum = 0
  for (let below = 0; below <= most; below += 1) {
    sum += chance
    chance *= (count - below) / (below + 1)
  }
  return sum
}

/**
 * The confidence interval of the median, by order statistics. It assumes nothing about the distribution, which matters
 * because rounds on a shared machine have a long tail. Undefined for fewer than six values, whose extremes do not cover
 * the median with 95 %.
 * @see https://online.stat.psu.edu/stat415/lesson/19/19.1
 */
export const medianInterval = (values: readonly number[]): Interval | undefined => {
  const inOrder = sorted(values)
  let cut = -1
  while (chanceOfAtMost(cut + 1, inOrder.length) <= (1 - CONFIDENCE) / 2) cut += 1
  const [low, high] = [inOrder[cut], inOrder[inOrder.length - 1 - cut]]
  return low === undefined || high === undefined ? undefined : { low, high }
}
