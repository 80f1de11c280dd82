// A request and its grant → everything that the database is not needed for: plan, statement and parameters.
import { bindSlots } from './bind.ts'
import { costWith, readCalculated } from './calculated/read-calculated.ts'
import { checkScopes } from './check-scopes.ts'
import { chooseOperation, documentOf } from './document.ts'
import type { Asking, Prepared } from './execute.ts'
import { introspect } from './introspection/introspect.ts'
import { planFor } from './plan-for.ts'
import { readVariables } from './read-variables.ts'
import type { GraphqlRequest } from './request.ts'
import type { Structure } from './structure.ts'
import { isDryRun } from './write/changing.ts'
import { refuseInSandbox } from './write/sandbox-refusal.ts'

/** Nothing here waits, and everything cacheable is cached. */
export const prepare = (structure: Structure, request: GraphqlRequest, { grant, changing }: Asking): Prepared => {
  const text = request.query
  const document = documentOf(structure, text, grant)
  const operation = chooseOperation(document, request.operationName)
  const variables = readVariables(structure.schema, operation, request.variables)
  const cached = planFor(structure, { text, document, operation, variables }, grant)
  if (cached.mutation !== undefined) refuseInSandbox(structure.model, grant, isDryRun(cached.mutation, changing))
  checkScopes(cached, grant)
  const question = { structure, grant, document, operation, variables: variables.values }
  const introspection = introspect(question, cached.aboutSchema)
  const { slots } = cached.statement
  const parameters = bindSlots(slots, variables.values, introspection)
  const calculated = readCalculated(slots, variables.values, structure.calculations)
  const cost = costWith(cached.plan, calculated)
  return { cached, parameters, calculated, cost, introspection, variables: variables.values }
}
