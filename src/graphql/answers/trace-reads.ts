// What a public page is read from → noted, if every later change of it will be noticed: the answers of operations, and what is read from
// logged tables by statements of our own. As for answers, what was read on a server is checked on that server.
import type { Model, Table } from '../../catalog/model.ts'
import { type KnownRead, knownReads } from '../../db/changes/known-reads.ts'
import type { Engine } from '../create-graphql.ts'
import type { Outcome } from '../outcome.ts'
import { type LoggedTables, loggedTables } from '../sources/logged-tables.ts'
import { type AnswerSource, readSources } from '../sources/read-sources.ts'
import { tablesOfPlan } from '../sources/tables-of-plan.ts'
import type { CachedPlan, Structure } from '../structure.ts'
import type { AnswerMoment } from './answer-moment.ts'
import { bytesOfSources } from './answers.ts'
import { knowsStructure, rowsIn } from './keep-answer.ts'
import { isStillTrue, type ReadAnswer } from './still-true.ts'

type Asked = Pick<Engine, 'structures' | 'reader'>

const knownRead = ({ structures }: Asked, structure: Structure, answer: ReadAnswer): KnownRead => ({
  isTrue: async () => structures.current() === structure && (await isStillTrue(answer)),
  bytes: bytesOfSources(answer.sources),
})

const note = (engine: Asked, structure: Structure, point: AnswerMoment['point'], sources?: readonly AnswerSource[]) => {
  const isKnown = point !== undefined && sources !== undefined && engine.structures.current() === structure
  const answer =
    isKnown && knowsStructure(engine, structure, point)
      ? [knownRead(engine, structure, { sources, reader: engine.reader, point, check: point.check })]
      : undefined
  knownReads.note(answer)
}

/**
 * Tables whose policies show everybody a row by what it says itself, and by the clock: an announcement once it has begun. More is shown
 * only to those with rights, which nobody has. What is read from them may be kept no longer than a page may be behind the clock.
 */
const shownByClock: ReadonlySet<string> = new Set(['public.up_announcements'])

const isFollowed = ({ kind, schema, relation, logged, rowSecurity }: Table): boolean =>
  kind === 'view' || (logged && (!rowSecurity || shownByClock.has(`${schema}.${relation}`)))

const tablesForNobody = (
  { model }: Structure,
  { plan, statement, personal, aboutSchema, mutation }: CachedPlan,
): LoggedTables | undefined => {
  if (mutation !== undefined || personal || plan.asksWho || aboutSchema.length > 0) return undefined
  if (![...plan.tables].every(isFollowed)) return undefined
  const found = tablesOfPlan(model.sources, plan, { answerIsKnown: true })
  const { tables, unknown } = loggedTables(model, { found, functions: plan.functions, slots: statement.slots })
  return unknown ? undefined : tables
}

const known = new WeakMap<CachedPlan, LoggedTables | undefined>()

const tablesOf = (structure: Structure, cached: CachedPlan): LoggedTables | undefined => {
  if (!known.has(cached)) known.set(cached, tablesForNobody(structure, cached))
  return known.get(cached)
}

export interface Answered {
  /** In force before the operation was prepared. */
  readonly structure: Structure
  readonly moment: AnswerMoment
  readonly outcome: Outcome | undefined
}

/** For an operation that was asked as nobody. One that failed makes no page that is kept. */
export const noteAnswer = (engine: Asked, { structure, moment, outcome }: Answered): void => {
  if (!knownReads.isTracing()) return
  if (outcome === undefined || !('result' in outcome)) return void knownReads.note(undefined)
  const { cached, data } = outcome.result
  const tables = tablesOf(structure, cached)
  const sources = tables && readSources(tables, { values: moment.values, rowsOf: rowsIn(data) })
  note(engine, structure, moment.point, sources)
}

export interface LoggedRead<T> {
  /** Tables and views of the schema that it is read from. */
  readonly relations: readonly string[]
  /** On the primary. Says which masjid alone it is about, and when the server that was read from started. */
  readonly read: () => Promise<{ readonly value: T; readonly masjid: string; readonly server: string }>
}

/** Its owner sees every row of a table, whatever policies say. */
const tablesBehind = ({ tables, sources }: Model, relation: string): readonly string[] | undefined => {
  const table = [...tables.values()].find(one => one.relation === relation)
  return table?.kind === 'table' && table.logged ? [`${table.schema}.${relation}`] : sources.relations.get(relation)
}

const sourcesOf = ({ model }: Structure, relations: readonly string[], masjid: string) => {
  const found: AnswerSource[] = []
  for (const relation of relations) {
    const ofMasjid = new Set(model.sources.byMasjid.get(relation)?.tables)
    const tables = tablesBehind(model, relation)
    if (tables === undefined) return undefined
    for (const table of tables)
      found.push({ table, masjids: ofMasjid.has(table) ? [masjid] : undefined, admissions: [] })
  }
  return found
}

/** For what is read from the primary by other connections than those of the engine. */
export const readLogged = async <T>(engine: Asked, { relations, read }: LoggedRead<T>): Promise<T> => {
  if (!knownReads.isTracing()) return (await read()).value
  const structure = engine.structures.current()
  const point = engine.reader.pointOnPrimary()
  const { value, masjid, server } = await knownReads.untraced(read).catch((error: unknown) => {
    // Whoever makes something else of it must not keep that.
    knownReads.note(undefined)
    throw error
  })
  const isSameServer = point?.epoch.server.split(' ')[0] === server
  note(engine, structure, isSameServer ? point : undefined, sourcesOf(structure, relations, masjid))
  return value
}
