/** A seed, a table and a name become the uuid of an invented row, recognisable as such. */
import { createHash } from 'node:crypto'

/**
 * All fixture ids lie between these two. They are of version 8 (RFC 9562, section 5.8), so that no row which the
 * database gave a random id (version 4) can be taken for one.
 */
export const lowestFixtureId = 'f1c7da7a-5eed-8000-8000-000000000000'
export const highestFixtureId = 'f1c7da7a-5eed-8fff-bfff-ffffffffffff'

export function fixtureId(seed: number, table: string, name: string | number): string {
  const digest = createHash('sha256').update(`${seed}:${table}:${name}`).digest('hex')
  const variant = '89ab'[Number.parseInt(digest.slice(3, 4), 16) % 4]
  return `f1c7da7a-5eed-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`
}
