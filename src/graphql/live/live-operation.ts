// A subscription and its grant → what is read for it, who shares the result, and which changes it is read again for.
import { hash } from 'node:crypto'
import { GraphQLError } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import type { ReadSource } from '../../db/changes/epoch.ts'
import { readsTheClock } from '../answers/may-keep.ts'
import { bindSlots } from '../bind.ts'
import type { GraphqlErrorCode } from '../error-code.ts'
import { subscriptionElsewhere } from '../errors.ts'
import type { Prepared } from '../execute.ts'
import { CURSOR_VARIABLE } from '../plan/plan-stream.ts'
import { prepare } from '../prepare.ts'
import type { GraphqlRequest } from '../request.ts'
import { settingsFor } from '../row-settings.ts'
import { readSources } from '../sources/read-sources.ts'
import type { Structure } from '../structure.ts'
import type { WatchedTables } from './watched-tables.ts'

export interface LiveOperation {
  readonly structure: Structure
  readonly prepared: Prepared
  readonly watched: readonly ReadSource[]
  /** It may change without a trace in the change log. */
  readonly timely: boolean
  /** The same for those who always see the same. */
  readonly key: string
  /** The same for those whose values alone differ, so that one statement can read for all of them. */
  readonly group: string
  /** Rows in a full batch, if it is a stream. */
  readonly batchSize: number | undefined
}

const refuseUnlogged = ({ unlogged }: WatchedTables): void => {
  if (unlogged.length === 0) return
  const message = `The changes of ${unlogged.join(', ')} are not logged, so a subscription cannot follow them. Query instead.`
  throw new GraphQLError(message, { extensions: { code: 'not-live' satisfies GraphqlErrorCode } })
}

/** Rows, and what is shown of them, may depend on who reads: then on nothing but these settings. */
const groupOf = ({ version }: Structure, { cached }: Prepared, grant: Grant): string => {
  const settings = cached.secured ? settingsFor(grant) : []
  return hash('sha256', JSON.stringify([version, cached.statement.name, settings]), 'base64')
}

const keyOf = (group: string, { parameters }: Prepared): string =>
  hash('sha256', JSON.stringify([group, parameters]), 'base64')

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
  const group = groupOf(structure, prepared, grant)
  return {
    structure,
    prepared,
    watched: readSources(watched.tables, { values: prepared.parameters }),
    timely: watched.timely || readsTheClock(prepared.parameters),
    key: keyOf(group, prepared),
    group,
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
