/** A seed and the name of a stream become a row of chances that is the same each time. */
import { createHash } from 'node:crypto'

export type Random = {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number from low to high, both included. */
  readonly integer: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Some of the items, in their order, each with the probability given. */
  readonly some: <Item>(items: readonly Item[], probability: number) => Item[]
}

/** Each part of the data has its own stream, so that a change in one leaves the others as they were. */
export function createRandom(seed: number, stream: string): Random {
  const next = mulberry32(createHash('sha256').update(`${seed}:${stream}`).digest().readUInt32LE(0))
  const integer = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const chance = (probability: number) => next() < probability
  return {
    next,
    integer,
    chance,
    pick: items => items[integer(0, items.length - 1)] as (typeof items)[number],
    some: (items, probability) => items.filter(() => chance(probability)),
  }
}

/** Tommy Ettinger's mulberry32: 32 bits of state, good enough for invented people. */
function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
