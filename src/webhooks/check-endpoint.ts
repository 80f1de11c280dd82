// What an owner typed about an endpoint → checked values, or every fault by field.

import type { Grant } from '../access/grant.ts'
import { isPlainLine } from '../base/plain-text.ts'
import { isUuid } from '../base/uuid.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { type Asking, mayBeReached } from '../outbound/check-saved-address.ts'
import type { EndpointValues } from './endpoint.ts'
import { readableTables } from './readable-tables.ts'
import { refusalOfQuery } from './saved-query.ts'

export interface RawEndpoint {
  readonly url: string
  readonly description: string
  readonly tables: readonly string[]
  /** One id per line; empty: every masjid. */
  readonly masjids: string
  readonly query: string
}

export type EndpointField = keyof RawEndpoint

/** `words` is the message of the GraphQL engine, which speaks English. */
export interface EndpointFault {
  readonly code: 'url' | 'no_tables' | 'unreadable' | 'masjids' | 'query' | 'too_long' | 'unseen'
  readonly words?: string
}

export type CheckedEndpoint =
  | { readonly kind: 'checked'; readonly values: EndpointValues }
  | { readonly kind: 'faulty'; readonly faults: Readonly<Partial<Record<EndpointField, EndpointFault>>> }

export interface EndpointRules extends Asking {
  readonly engine: Engine
  readonly grant: Grant
}

const LONGEST_DESCRIPTION = 200
const LONGEST_QUERY = 10_000
const MOST_MASJIDS = 100

const checkUrl = async (url: string, rules: EndpointRules): Promise<EndpointFault | undefined> =>
  (await mayBeReached(url, rules)) ? undefined : { code: 'url' }

const checkTables = (tables: readonly string[], { engine, grant }: EndpointRules): EndpointFault | undefined => {
  if (tables.length === 0) return { code: 'no_tables' }
  const readable = new Set(readableTables(engine.structures.current().model, grant).map(({ name }) => name))
  return tables.every(name => readable.has(name)) ? undefined : { code: 'unreadable' }
}

const checkDescription = (text: string): EndpointFault | undefined => {
  if (text.length > LONGEST_DESCRIPTION) return { code: 'too_long' }
  return isPlainLine(text) ? undefined : { code: 'unseen' }
}

const masjidsOf = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  ),
]

const checkMasjids = (masjids: readonly string[]): EndpointFault | undefined =>
  masjids.length <= MOST_MASJIDS && masjids.every(isUuid) ? undefined : { code: 'masjids' }

const checkQuery = (query: string, { engine, grant }: EndpointRules): EndpointFault | undefined => {
  if (query === '') return undefined
  if (query.length > LONGEST_QUERY) return { code: 'too_long' }
  const words = refusalOfQuery(engine, grant, query)
  return words === undefined ? undefined : { code: 'query', words }
}

export const checkEndpoint = async (raw: RawEndpoint, rules: EndpointRules): Promise<CheckedEndpoint> => {
  const tables = [...new Set(raw.tables)].sort()
  const masjids = masjidsOf(raw.masjids)
  const found: Record<EndpointField, EndpointFault | undefined> = {
    url: await checkUrl(raw.url, rules),
    description: checkDescription(raw.description),
    tables: checkTables(tables, rules),
    masjids: checkMasjids(masjids),
    query: checkQuery(raw.query, rules),
  }
  const faults = Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
  if (Object.keys(faults).length > 0) return { kind: 'faulty', faults }
  const { url, description, query } = raw
  const values = { url, description, tables, masjids: masjids.length === 0 ? null : masjids, query: query || null }
  return { kind: 'checked', values }
}
