// A fresh answer and how it was read → kept, if every later change of it will be noticed.
import type { CheckPoint } from '../../db/changes/change-checker.ts'
import { readPosition } from '../../db/replicas/wal-position.ts'
import { countListRows } from '../count-rows.ts'
import type { Engine } from '../create-graphql.ts'
import { compact, type HttpResponse } from '../entrance/http-response.ts'
import type { Outcome } from '../outcome.ts'
import { readSources } from '../sources/read-sources.ts'
import type { Structure } from '../structure.ts'
import { sharedKey } from './answer-key.ts'
import type { Answers } from './answers.ts'
import type { LookedUp } from './look-up.ts'
import { readsTheClock } from './may-keep.ts'

export interface Fresh {
  readonly outcome: Outcome | undefined
  readonly query: string | undefined
  /** The response, with headers for one client only. */
  readonly respond: (headers: Readonly<Record<string, string>>) => HttpResponse
}

/** Where the primary was in its write-ahead log when a structure was already in force. */
const positions = new WeakMap<Structure, bigint>()

/** The triggers that a structure relies on may not have arrived at a replica yet. */
export const knowsStructure = (
  engine: Pick<Engine, 'reader'>,
  structure: Structure,
  { position }: CheckPoint,
): boolean => {
  if (position === undefined) return true
  const since = positions.get(structure)
  if (since !== undefined) return position >= since
  engine.reader.position().then(
    text => positions.set(structure, readPosition(text) ?? 0n),
    () => undefined,
  )
  return false
}

type Row = Readonly<Record<string, unknown>>

/** Most answers are kept without being parsed. */
export const rowsIn = (data: string) => {
  let parsed: Readonly<Record<string, readonly Row[] | Row | null>> | undefined
  return (field: string): readonly Row[] => {
    parsed ??= JSON.parse(data) as NonNullable<typeof parsed>
    const found = parsed[field] ?? []
    return Array.isArray(found) ? found : [found as Row]
  }
}

export const keepAnswer = (
  { answers, engine }: { readonly answers?: Answers | undefined; readonly engine: Engine },
  lookedUp: LookedUp | undefined,
  { outcome, query = '', respond }: Fresh,
): void => {
  const point = lookedUp?.moment?.point
  if (answers === undefined || lookedUp?.moment === undefined || point === undefined) return
  if (outcome === undefined || !('result' in outcome)) return
  const { cached, data } = outcome.result
  const { key, structure, moment } = lookedUp
  if (cached.sources === undefined || readsTheClock(moment.values)) return
  // The plan is of this structure only if there was no other in the meantime.
  if (engine.structures.current() !== structure || !knowsStructure(engine, structure, point)) return
  const { statement } = cached
  const sources = readSources(cached.sources, { values: moment.values, rowsOf: rowsIn(data) })
  const response = compact(respond({}))
  const answerKey = sharedKey(key, statement.name, [...response.headers, ...moment.values])
  const times = { readAt: performance.now(), point, check: point.check }
  const answer = { response, structure, sources, reader: engine.reader, rows: countListRows(data), ...times }
  answers.keep(key, { structure, answerKey, query, cached }, answer)
}
