// A result by its name: as it was kept, or made in a turn of whoever asks and then kept.
import type { FairTurns } from './fair-turns.ts'

export interface Kept<T> {
  get(name: string): T | undefined
  set(name: string, value: T): void
}

export const keepNothing: Kept<never> = { get: () => undefined, set: () => undefined }

/** @throws {Fault} `too-many-waiting`, `unavailable` */
export type KeepInTurns<T> = (who: string, name: string, make: () => Promise<T>) => Promise<T>

/**
 * What is kept, or being made, takes no turn. Nobody joins work that still waits for its turn: they would wait in a line
 * that somebody else may have filled.
 */
export const keepInTurns = <T>(turns: FairTurns, kept: Kept<T>): KeepInTurns<T> => {
  const making = new Map<string, Promise<T>>()
  const makeAndKeep = async (name: string, make: () => Promise<T>): Promise<T> => {
    try {
      const made = await make()
      kept.set(name, made)
      return made
    } finally {
      making.delete(name)
    }
  }
  return async (who, name, make) => {
    const known = (): T | Promise<T> | undefined => kept.get(name) ?? making.get(name)
    const begin = (): Promise<T> => {
      const begun = makeAndKeep(name, make)
      making.set(name, begun)
      return begun
    }
    return known() ?? turns.run(who, async () => known() ?? begin())
  }
}
