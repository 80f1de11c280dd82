// What generators draw from: rows, offers, and arbitraries that are already built.
import fc from 'fast-check'
import type { Offer, Offers } from './offers.ts'
import type { Data } from './rows.ts'

export interface Source {
  readonly data: Data
  readonly offers: Offers
  /** Cached arbitraries: building them takes longer than drawing from them. */
  readonly built: Map<string, unknown>
}

export const once = <T>({ built }: Source, name: string, build: () => T): T => {
  if (!built.has(name)) built.set(name, build())
  return built.get(name) as T
}

/** Built lazily, so that tables may refer to each other. */
export const later = <T>(build: () => fc.Arbitrary<T>): fc.Arbitrary<T> => fc.constant(undefined).chain(build)

const offerOf = ({ offers }: Source, table: string): Offer => {
  const offer = offers.get(table)
  if (offer === undefined) throw new Error(`nothing is offered for ${table}`)
  return offer
}

export const targetOf = (source: Source, { table }: Offer, relation: string): Offer =>
  offerOf(source, table.relations.get(relation)?.target ?? '')

/** Only relationships to tables that can be queried themselves. */
export const reachable = ({ offers }: Source, { table }: Offer, names: readonly string[]): string[] =>
  names.filter(name => offers.has(table.relations.get(name)?.target ?? ''))

export const maybe = <T>(arbitrary: fc.Arbitrary<T>, often = 1): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: often })
