// Documents that cost whoever sends them nothing, and the one thread that reads them as much as they can.
import { getIntrospectionQuery } from 'graphql'

export interface CostlyDocument {
  readonly name: string
  /** Another text each time, so that nothing remembered helps. */
  readonly text: (index: number) => string
  /** What it may cost the thread at most; several times what it does cost. */
  readonly mostMs: number
}

const list = (length: number, make: (index: number) => string): string =>
  Array.from({ length }, (_, index) => make(index)).join(' ')

export const freshRoot = (index: number): string =>
  getIntrospectionQuery().replace('__schema', `a${index + 2}: __schema`)

/** Another name deep inside, where it is written for every field of every type. */
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

/** So many errors are enough to mend a document by; one more says that there were others. */
export const MOST_ERRORS = 6
export const LONGEST_REFUSAL = 16 * 1024
