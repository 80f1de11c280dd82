// A prepared request → its data as JSON, with one statement; reads of personal data are recorded.
import { GraphQLError } from 'graphql'
import type { Grant } from '../access/grant.ts'
import { knownReads } from '../db/changes/known-reads.ts'
import type { Reader } from '../db/reader.ts'
import type { Abandonment } from '../db/reader-connection.ts'
import { toStatement } from '../db/sql.ts'
import { ownStatement } from '../db/text-channel.ts'
import type { NoteAsked } from '../prayer/on-demand/asked-masjids.ts'
import type { AnswerMoment } from './answers/answer-moment.ts'
import type { SchemaValues } from './bind.ts'
import { withCalculatedRows } from './calculated/calculate-rows.ts'
import type { CalculatedRows, Reading } from './calculated/calculation.ts'
import type { CompiledStatement } from './compile/compile-plan.ts'
import { countListRows } from './count-rows.ts'
import type { VariableValues } from './encode-value.ts'
import type { GraphqlErrorCode } from './error-code.ts'
import type { Allowance } from './limits/allowance.ts'
import { limits } from './limits/limits.ts'
import type { ReadLog } from './read-log.ts'
import { settingsFor } from './row-settings.ts'
import { noteAskedMasjids } from './sources/asked-masjids.ts'
import type { CachedPlan } from './structure.ts'
import { type TimedStatement, timedStatement } from './timed-statement.ts'
import type { Changing } from './write/changing.ts'

/** What is known about a request before the database is queried. */
export interface Prepared {
  readonly cached: CachedPlan
  readonly parameters: readonly (string | null)[]
  /** Parameters that are rows, calculated when it is read. */
  readonly calculated: readonly CalculatedRows[]
  /** With what is calculated, in rows. */
  readonly cost: number
  readonly introspection: SchemaValues
  readonly variables: VariableValues
}

export interface Asking {
  readonly grant: Grant
  /** Whose share of the database it uses; by default the app of the grant. */
  readonly who?: string | undefined
  /** Called when nobody waits for the response any more. */
  readonly abandoned?: Abandonment | undefined
  /** When the request arrived, by `performance.now()`. */
  readonly since?: number | undefined
  /** Where the client's last write is in the write-ahead log, as it was told. */
  readonly position?: bigint | undefined
  /** Undefined if rows are not limited. */
  readonly allowance?: Allowance | undefined
  /** Of a list of masjids: nobody asks for the days of each to be stored. */
  readonly listed?: boolean | undefined
  /** What the request says about changes. */
  readonly changing?: Changing | undefined
  /** Where it is noted how the answer was read; undefined if it is not kept. */
  readonly moment?: AnswerMoment | undefined
  /** Where it is noted how long each statement took; undefined if nobody wants to know. */
  readonly statements?: TimedStatement[] | undefined
}

interface Executing {
  readonly reader: Reader
  readonly readLog: ReadLog
  readonly noteAsked?: NoteAsked | undefined
}

/** Without a table there is nothing to query. */
const withoutDatabase = ({ cached, introspection }: Prepared): string => {
  const members = cached.plan.fields.map(field => {
    const value = field.kind === 'typename' ? JSON.stringify(field.name) : introspection.get(field.key)
    return `"${field.key}":${value}`
  })
  return `{${members.join()}}`
}

/** An offset of this many rows is slow, however quick the statement is without it. */
const MANY_ROWS = 10_000

const skipsMany = ({ offsets }: CompiledStatement, values: readonly (string | null)[]): boolean =>
  offsets.length > 0 && offsets.some(at => Number(values[at]) >= MANY_ROWS)

/** Statistics may be outdated: a response that they let through has the same maximum of rows as any other. */
export const checkRows = (json: string): string => {
  const rows = countListRows(json)
  if (rows <= limits.cost) return json
  throw new GraphQLError(
    `The response has ${rows} rows; the maximum is ${limits.cost}. Lower \`limit\`, or select fewer nested lists.`,
    { extensions: { code: 'too-costly' satisfies GraphqlErrorCode } },
  )
}

const readFrom = (
  { reader }: Pick<Executing, 'reader'>,
  prepared: Prepared,
  { grant, who, abandoned, since, position, moment, statements }: Asking,
): Promise<string> => {
  const { plan, statement, secured } = prepared.cached
  // As for the pool: whoever knows how to find changes of it reads it untraced, and notes it.
  knownReads.note(undefined)
  prepared.cached.uses += 1
  const { text, name, none } = statement
  // A statement seen only once is not worth preparing.
  const prepare = prepared.cached.uses > 1
  const values = prepared.parameters
  if (moment !== undefined) moment.values = values
  // Without settings the bare statement is twice as fast.
  const settings = secured ? settingsFor(grant) : undefined
  const timing = statements === undefined ? undefined : timedStatement(prepared.cached, settings)
  if (timing !== undefined) statements?.push(timing)
  const read = reader.read(
    { text, name, values, none, prepare, settings },
    { who: who ?? grant.appId ?? '', abandoned, since, position, heavy: skipsMany(statement, values), moment, timing },
  )
  return plan.estimated ? read.then(checkRows) : read
}

const readingFor = ({ reader }: Pick<Executing, 'reader'>, asking: Asking): Reading => {
  const who = asking.who ?? asking.grant.appId ?? ''
  const { abandoned, since, position, listed } = asking
  return {
    who,
    listed,
    read: query => {
      const { name = '', text, values } = toStatement(query)
      return reader.read(ownStatement(name, text, values as string[]), { who, abandoned, since, position })
    },
  }
}

/** Without a trace in the read log. */
export const readData = (executing: Pick<Executing, 'reader'>, prepared: Prepared, asking: Asking): Promise<string> => {
  const { cached, parameters, calculated } = prepared
  if (cached.plan.tables.size === 0) return Promise.resolve(withoutDatabase(prepared))
  if (calculated.length === 0) return readFrom(executing, prepared, asking)
  return withCalculatedRows(parameters, calculated, readingFor(executing, asking)).then(filled =>
    readFrom(executing, { ...prepared, parameters: filled }, asking),
  )
}

export const execute = (executing: Executing, prepared: Prepared, asking: Asking): Promise<string> => {
  const { plan, personal } = prepared.cached
  if (executing.noteAsked !== undefined) noteAskedMasjids(executing.noteAsked, prepared)
  const data = readData(executing, prepared, asking)
  if (!personal) return data
  return data.then(json => {
    executing.readLog.note(asking.grant, plan, json)
    return json
  })
}
