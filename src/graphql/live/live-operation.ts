// A subscription and its grant → what is read for it, who shares the result, and which changes it is read again for.
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import { readsTheClock } from '../answers/may-keep.ts'
import { bindSlots } from '../bind.ts'
import { encodeValue } from '../encode-value.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { subscriptionElsewhere } from '../errors.ts'
import type { Prepared } from '../execute.ts'
import type { Value } from '../plan/plan.ts'
import { CURSOR_VARIABLE } from '../plan/plan-stream.ts'
import { prepare } from '../prepare.ts'
import type { GraphqlRequest } from '../request.ts'
import { settingsFor } from '../row-settings.ts'
import type { Structure } from '../structure.ts'
import type { WatchedTables } from './watched-tables.ts'

/** A table as the change log names it, and the masjids whose rows matter; undefined if all do. */
export type Watched = readonly [table: string, masjids: readonly string[] | undefined]

export interface LiveOperation {
  readonly structure: Structure
  readonly prepared: Prepared
  readonly watched: readonly Watched[]
  /** It may change without a trace in the change log. */
  readonly timely: boolean
  /** The same for those who always see the same. */
  readonly key: string
  /** Rows in a full batch, if it is a stream. */
  readonly batchSize: number | undefined
}

const refuseUnlogged = ({ unlogged }: WatchedTables): void => {
  if (unlogged.length === 0) return
  const message = `The changes of ${unlogged.join(', ')} are not logged, so a subscription cannot follow them. Query instead.`
  throw new GraphQLError(message, { extensions: { code: 'not-live' satisfies GraphqlErrorCode } })
}

const BRACES = /[{}"]/g
/** PostgreSQL reads other forms too; the change log has this one. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const listIn = (text: string): string[] => text.replaceAll(BRACES, '').toLowerCase().split(',')

/** A value, or a list of them, as they are bound; undefined if one is not written as in the log. */
const masjidsOf = (values: readonly Value[], { variables }: Prepared): readonly string[] | undefined => {
  const masjids = values.flatMap(value => listIn(encodeValue(value, variables) ?? ''))
  return masjids.every(masjid => uuid.test(masjid)) ? masjids : undefined
}

/** Rows, and what is shown of them, may depend on who reads: then on nothing but these settings. */
const keyOf = ({ version }: Structure, { cached, parameters }: Prepared, grant: Grant): string => {
  const settings = cached.secured ? settingsFor(grant) : []
  return hash('sha256', JSON.stringify([version, cached.statement.name, parameters, settings]), 'base64')
}

const batchSizeOf = ({ cached }: Prepared): number | undefined => {
  const [field] = cached.plan.fields
  return field?.kind === 'stream' ? field.first.limit : undefined
}

/** @throws like `prepare`, and {Fault} `not-live`. */
export const prepareLive = (structure: Structure, request: GraphqlRequest, grant: Grant): LiveOperation => {
  const prepared = prepare(structure, request, { grant })
  const { watched } = prepared.cached
  if (watched === undefined) throw subscriptionElsewhere()
  refuseUnlogged(watched)
  return {
    structure,
    prepared,
    watched: [...watched.tables].map(([name, values]) => [name, values && masjidsOf(values, prepared)]),
    timely: watched.timely || readsTheClock(prepared.parameters),
    key: keyOf(structure, prepared, grant),
    batchSize: batchSizeOf(prepared),
  }
}

/** Of a stream whose last row had this cursor. */
export const preparedAfter = ({ prepared }: LiveOperation, cursor: string | undefined): Prepared => {
  const { cached, variables, introspection } = prepared
  const { next } = cached.statement
  if (cursor === undefined || next === undefined) return prepared
  const parameters = bindSlots(next.slots, { ...variables, [CURSOR_VARIABLE]: cursor }, introspection)
  return { ...prepared, cached: { ...cached, statement: next }, parameters }
}
