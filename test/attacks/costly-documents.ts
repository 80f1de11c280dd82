// Documents that cost their sender nothing, and the thread that reads them as much as possible.
import { getIntrospectionQuery } from 'graphql'

export interface CostlyDocument {
  readonly name: string
  /** Different text each time, so that no cache helps. */
  readonly text: (index: number) => string
  /** The maximum cost for the thread; several times the actual cost. */
  readonly mostMs: number
}

const list = (length: number, make: (index: number) => string): string =>
  Array.from({ length }, (_, index) => make(index)).join(' ')

export const freshRoot = (index: number): string =>
  getIntrospectionQuery().replace('__schema', `a${index + 2}: __schema`)

/** A new alias deep inside, where it is repeated for every field of every type. */
export const freshLeaf = (index: number): string =>
  getIntrospectionQuery().replace('isDeprecated', `a${index + 2}: isDeprecated`)

export const costlyDocuments: readonly CostlyDocument[] = [
  {
    name: '900 unknown fields',
    text: index => `{ up_masjids { ${list(900, one => `x${index}_${one}`)} } }`,
    mostMs: 25,
  },
  {
    name: '25 unknown fields at the root',
    text: index => `{ ${list(25, one => `up_masjidz${index}_${one} { id }`)} }`,
    mostMs: 25,
  },
  {
    name: 'a chain of 480 fragments',
    text: index =>
      `{ up_masjids { ...f${index}_0 } } ${list(480, one => `fragment f${index}_${one} on up_masjids { ...f${index}_${one + 1} }`)} fragment f${index}_480 on up_masjids { id }`,
    mostMs: 80,
  },
  {
    name: 'a literal of 200,000 characters where a number belongs',
    text: index => `{ up_masjids(limit: "${index}${'x'.repeat(200_000)}") { id } }`,
    mostMs: 25,
  },
  {
    name: '190 arguments of the wrong type',
    text: index => `{ up_masjids { ${list(190, one => `e${index}_${one}: events(limit: "x") { id }`)} } }`,
    mostMs: 40,
  },
  {
    name: '600 conditions that do not fit',
    text: index =>
      `{ up_masjids(where: {_or: [${list(300, one => `{city: {_eq: ${one}}}`)}], id: {_eq: ${index}}}) { id } }`,
    mostMs: 40,
  },
]

/** That many errors are enough to fix a document; one more says that there were others. */
export const MOST_ERRORS = 6
export const LONGEST_REFUSAL = 16 * 1024
