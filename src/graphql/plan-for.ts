// A document, an operation and the shape of its variables → its plan and statement, made once and remembered.
import type { Grant } from '../access/grant.ts'
import { compilePlan } from './compile/compile-plan.ts'
import type { Operation, PreparedDocument } from './document.ts'
import { planOperation } from './plan/plan-operation.ts'
import type { ReadVariables } from './read-variables.ts'
import type { CachedPlan, Structure } from './structure.ts'

export interface Planned {
  readonly text: string
  readonly document: PreparedDocument
  readonly operation: Operation
  readonly variables: ReadVariables
}

const makePlan = (structure: Structure, { document, operation, variables }: Planned, forUser: boolean): CachedPlan => {
  const plan = planOperation({
    model: structure.model,
    roots: structure.roots,
    fragments: document.fragments,
    operation: operation.definition,
    variables: variables.shapes,
  })
  return { plan, statement: compilePlan(plan, forUser), uses: 0 }
}

export const planFor = (structure: Structure, planned: Planned, grant: Grant): CachedPlan => {
  const forUser = grant.kind === 'user'
  const name = planned.operation.definition.name?.value ?? ''
  const key = `${forUser ? 'u' : 'a'}${name} ${planned.variables.key} ${planned.text}`
  const known = structure.plans.get(key)
  if (known !== undefined) return known
  const made = makePlan(structure, planned, forUser)
  structure.plans.set(key, made)
  return made
}
