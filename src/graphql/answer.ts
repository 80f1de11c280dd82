// A query, from request to answer: each stage is one line, and each is a file of its own.
import type { Grant } from '../access/grant.ts'
import type { Logger } from '../base/log.ts'
import type { StructureWatch } from '../catalog/watch-structure.ts'
import type { Reader } from '../db/pipelined-reader.ts'
import type { Abandonment } from '../db/reader-connection.ts'
import { bindSlots, type IntrospectionAnswers } from './bind.ts'
import { checkScopes } from './check-scopes.ts'
import { callersFault, isStructural } from './database-errors.ts'
import { chooseOperation, type PreparedDocument, prepareDocument } from './document.ts'
import { fault } from './errors.ts'
import { answerIntrospection } from './introspect.ts'
import { limits } from './limits/limits.ts'
import { planFor } from './plan-for.ts'
import type { ReadLog } from './read-log.ts'
import { readVariables } from './read-variables.ts'
import type { GraphqlRequest } from './request.ts'
import { settingsFor } from './row-settings.ts'
import type { CachedPlan, Structure } from './structure.ts'

export interface Engine {
  readonly structures: StructureWatch<Structure>
  readonly reader: Reader
  readonly readLog: ReadLog
  readonly log: Logger
  readonly statementTimeoutMs: number
}

/** What is known of a request before the database is asked. */
interface Prepared {
  readonly cached: CachedPlan
  readonly parameters: readonly (string | null)[]
  readonly introspection: IntrospectionAnswers
}

export interface Answer {
  /** The answer's `data`, as JSON. */
  readonly data: string
  readonly cached: CachedPlan
}

const documentOf = (structure: Structure, text: string): PreparedDocument => {
  const known = structure.documents.get(text)
  if (known !== undefined) return known
  const document = prepareDocument(text, structure.schema)
  structure.documents.set(text, document)
  return document
}

const prepare = (structure: Structure, request: GraphqlRequest, grant: Grant): Prepared => {
  const text = request.query
  const document = documentOf(structure, text)
  const operation = chooseOperation(document, request.operationName)
  const variables = readVariables(structure.schema, operation, request.variables)
  const cached = planFor(structure, { text, document, operation, variables }, grant)
  checkScopes(cached.plan, grant)
  const question = { structure, grant, text, document, operation, variables: variables.values }
  const introspection = answerIntrospection(question, cached.plan)
  const parameters = bindSlots(cached.statement.slots, variables.values, introspection)
  return { cached, parameters, introspection }
}

/** Without a table there is nothing to ask the database. */
const withoutDatabase = ({ cached, introspection }: Prepared): string =>
  `{${cached.plan.fields
    .map(
      field =>
        `"${field.key}":${field.kind === 'typename' ? JSON.stringify(field.name) : introspection.get(field.key)}`,
    )
    .join()}}`

const execute = async (engine: Engine, prepared: Prepared, grant: Grant, abandoned?: Abandonment): Promise<Answer> => {
  const { cached, parameters } = prepared
  const { plan, statement } = cached
  if (plan.tables.size === 0) return { data: withoutDatabase(prepared), cached }
  cached.uses += 1
  const data = await engine.reader.read(
    {
      text: statement.text,
      name: statement.name,
      values: parameters,
      prepare: cached.uses > 1,
      settings: settingsFor(plan, grant),
    },
    abandoned,
  )
  for (const table of plan.tables)
    if (table.personal !== undefined) {
      engine.readLog.note(grant, plan, data)
      break
    }
  return { data, cached }
}

const checkBudget = (prepared: readonly Prepared[]): void => {
  const cost = prepared.reduce((sum, { cached }) => sum + cached.plan.cost, 0)
  if (cost > limits.cost)
    throw fault(
      'too-costly',
      `The batch may read ${cost} rows; the maximum is ${limits.cost} for all its operations together. Lower \`limit\`, or send fewer at a time.`,
    )
}

export type Outcome = { readonly answer: Answer } | { readonly error: unknown }

const settle = <T>(work: () => T): { readonly value: T } | { readonly error: unknown } => {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

const settleAll = (work: readonly Promise<Answer>[]): Promise<Outcome[]> =>
  Promise.all(
    work.map(one =>
      one.then(
        answer => ({ answer }),
        error => ({ error }),
      ),
    ),
  )

/** The statement met another structure than it was made for: once more, with the newest. */
const executeOrRepeat = async (
  engine: Engine,
  prepared: Prepared,
  request: GraphqlRequest,
  asking: Asking,
): Promise<Answer> => {
  const { grant, abandoned } = asking
  try {
    return await execute(engine, prepared, grant, abandoned)
  } catch (error) {
    if (!isStructural(error)) throw callersFault(error, engine.statementTimeoutMs) ?? error
    await engine.structures.reload()
    const again = prepare(engine.structures.current(), request, grant)
    return await execute(engine, again, grant, abandoned).catch(second => {
      throw callersFault(second, engine.statementTimeoutMs) ?? second
    })
  }
}

export interface Asking {
  readonly grant: Grant
  /** Told when nobody waits for the answer any more. */
  readonly abandoned?: Abandonment | undefined
}

/** One outcome per request, in order. Nothing is read before all of them are known to fit the budget. */
export const answerAll = async (
  engine: Engine,
  requests: readonly GraphqlRequest[],
  asking: Asking,
): Promise<Outcome[]> => {
  const structure = engine.structures.current()
  const prepared = requests.map(request => settle(() => prepare(structure, request, asking.grant)))
  checkBudget(prepared.flatMap(one => ('value' in one ? [one.value] : [])))
  return settleAll(
    prepared.map((one, index) =>
      'value' in one
        ? executeOrRepeat(engine, one.value, requests[index] as GraphqlRequest, asking)
        : Promise.reject(one.error),
    ),
  )
}

/** @throws what was wrong with it. */
export const answer = (engine: Engine, request: GraphqlRequest, asking: Asking): Promise<Answer> => {
  const prepared = prepare(engine.structures.current(), request, asking.grant)
  return executeOrRepeat(engine, prepared, request, asking)
}
