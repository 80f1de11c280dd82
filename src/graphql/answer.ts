// A query, from request to answer: each stage is one line here, and a file of its own.
import type { Grant } from '../access/grant.ts'
import type { StructureWatch } from '../catalog/watch-structure.ts'
import type { Reader } from '../db/pipelined-reader.ts'
import { bindSlots } from './bind.ts'
import { checkScopes } from './check-scopes.ts'
import { callersFault, isStructural } from './database-errors.ts'
import { chooseOperation, documentOf } from './document.ts'
import { type Asking, execute, type Prepared } from './execute.ts'
import { answerIntrospection } from './introspect.ts'
import { planFor } from './plan-for.ts'
import type { ReadLog } from './read-log.ts'
import { readVariables } from './read-variables.ts'
import type { GraphqlRequest } from './request.ts'
import type { CachedPlan, Structure } from './structure.ts'

export interface Engine {
  readonly structures: StructureWatch<Structure>
  readonly reader: Reader
  readonly readLog: ReadLog
  readonly statementTimeoutMs: number
}

export interface Answer {
  /** The answer's `data`, as JSON. */
  readonly data: string
  readonly cached: CachedPlan
}

/** An error may be the caller's, a GraphQLError, DocumentErrors or Fault; anything else is ours. */
export type Outcome = { readonly answer: Answer } | { readonly error: unknown }

/** What a request takes of an allowance before anything is known of it: nonsense is counted too. */
export const ASKING = 1

/** All that comes before the database: nothing here waits, and everything that can be remembered is. */
export const prepare = (structure: Structure, request: GraphqlRequest, grant: Grant): Prepared => {
  const text = request.query
  const document = documentOf(structure, text)
  const operation = chooseOperation(document, request.operationName)
  const variables = readVariables(structure.schema, operation, request.variables)
  const cached = planFor(structure, { text, document, operation, variables }, grant)
  checkScopes(cached, grant)
  const question = { structure, grant, text, document, operation, variables: variables.values }
  const introspection = answerIntrospection(question, cached.aboutSchema)
  const parameters = bindSlots(cached.statement.slots, variables.values, introspection)
  return { cached, parameters, introspection }
}

/** The statement met another structure than it was made for, or lacked a right: once more, with the newest. */
const repeat = async (engine: Engine, request: GraphqlRequest, asking: Asking): Promise<Answer> => {
  await engine.structures.recover()
  const { cached, ...rest } = prepare(engine.structures.current(), request, asking.grant)
  return { data: await execute(engine, { cached, ...rest }, asking), cached }
}

interface Failed {
  readonly error: unknown
  readonly prepared: Prepared
}

const recover = async (
  engine: Engine,
  { error, prepared }: Failed,
  request: GraphqlRequest,
  asking: Asking,
): Promise<Outcome> => {
  try {
    if (!isStructural(error)) throw error
    return { answer: await repeat(engine, request, asking) }
  } catch (cause) {
    return { error: callersFault(cause, prepared.cached.plan, engine.statementTimeoutMs) ?? cause }
  }
}

/** Never rejects. Without `await`, which the busiest path has for each stage otherwise: they add up. */
export const finish = (engine: Engine, prepared: Prepared, request: GraphqlRequest, asking: Asking): Promise<Outcome> =>
  execute(engine, prepared, asking).then(
    data => ({ answer: { data, cached: prepared.cached } }),
    error => recover(engine, { error, prepared }, request, asking),
  )

export const answer = (engine: Engine, request: GraphqlRequest, asking: Asking): Promise<Outcome> => {
  const { grant, allowance } = asking
  try {
    allowance?.take(ASKING)
    const prepared = prepare(engine.structures.current(), request, grant)
    allowance?.take(prepared.cached.plan.cost)
    return finish(engine, prepared, request, asking)
  } catch (error) {
    return Promise.resolve({ error })
  }
}
