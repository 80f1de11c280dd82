// Several requests → their outcomes in order. Nothing is read before all of them together are known to fit the budget.
import { ASKING, type Engine, finish, type Outcome, prepare } from './answer.ts'
import { fault } from './errors.ts'
import type { Asking, Prepared } from './execute.ts'
import { limits } from './limits/limits.ts'
import type { GraphqlRequest } from './request.ts'

type Attempt = { readonly request: GraphqlRequest; readonly prepared: Prepared } | { readonly error: unknown }

const attempt = (engine: Engine, request: GraphqlRequest, { grant }: Asking): Attempt => {
  try {
    return { request, prepared: prepare(engine.structures.current(), request, grant) }
  } catch (error) {
    return { error }
  }
}

const checkBudget = (attempts: readonly Attempt[], { allowance }: Asking): void => {
  const cost = attempts.reduce((sum, one) => sum + ('prepared' in one ? one.prepared.cached.plan.cost : 0), 0)
  if (cost > limits.cost)
    throw fault(
      'too-costly',
      `The batch may read ${cost} rows; the maximum is ${limits.cost} for all its operations together. Lower \`limit\`, or send fewer at a time.`,
    )
  allowance?.take(cost)
}

const settle = (engine: Engine, one: Attempt, asking: Asking): Promise<Outcome> =>
  'error' in one ? Promise.resolve(one) : finish(engine, one.prepared, one.request, asking)

/** @throws {Fault} `too-costly` or `too_many_requests` for all of them together. */
export const answerBatch = async (
  engine: Engine,
  requests: readonly GraphqlRequest[],
  asking: Asking,
): Promise<Outcome[]> => {
  asking.allowance?.take(ASKING * requests.length)
  const attempts = requests.map(request => attempt(engine, request, asking))
  checkBudget(attempts, asking)
  return Promise.all(attempts.map(one => settle(engine, one, asking)))
}
