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

/** The statement met another structure than it was made for: once more, with the newest. */
const repeat = async (engine: Engine, request: GraphqlRequest, asking: Asking): Promise<Answer> => {
  await engine.structures.reload()
  const { cached, ...rest } = prepare(engine.structures.current(), request, asking.grant)
  return { data: await execute(engine, { cached, ...rest }, asking), cached }
}

/** @throws {GraphQLError} for what the caller could have done differently. */
export const finish = async (
  engine: Engine,
  prepared: Prepared,
  request: GraphqlRequest,
  asking: Asking,
): Promise<Answer> => {
  try {
    return { data: await execute(engine, prepared, asking), cached: prepared.cached }
  } catch (error) {
    const answer = isStructural(error) ? repeat(engine, request, asking) : Promise.reject(error)
    return answer.catch(cause => {
      throw callersFault(cause, engine.statementTimeoutMs) ?? cause
    })
  }
}

/** @throws {GraphQLError | DocumentErrors | Fault} what was wrong with it. */
export const answer = async (engine: Engine, request: GraphqlRequest, asking: Asking): Promise<Answer> =>
  finish(engine, prepare(engine.structures.current(), request, asking.grant), request, asking)
