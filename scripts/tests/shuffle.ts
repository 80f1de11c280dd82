// A seed → the files of a run in another order: what one leaves behind for another shows.
import { randomInt } from 'node:crypto'

const MOST = 2 ** 31

/** Of `--shuffle` or `--shuffle=SEED`. */
export const shuffleSeed = (words: readonly string[]): number | undefined => {
  const word = words.find(one => one === '--shuffle' || one.startsWith('--shuffle='))
  if (word === undefined) return undefined
  const [, given] = word.split('=')
  return given === undefined ? randomInt(MOST) : Number(given)
}

/** Park and Miller's minimal standard generator: from 0 up to 1. */
const numbersFrom = (seed: number): (() => number) => {
  let state = (seed % (MOST - 2)) + 1
  return () => {
    state = (state * 48_271) % (MOST - 1)
    return state / (MOST - 1)
  }
}

export const shuffled = <T>(list: readonly T[], seed: number): T[] => {
  const next = numbersFrom(seed)
  return list
    .map(entry => ({ entry, place: next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry)
}
