// A document, an operation and the shape of its variables → its plan and statement, cached.
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
    relay: structure.view.relay,
    fragments: document.fragments,
    required: document.required,
    operation: operation.definition,
    variables: variables.shapes,
  })
  const tables = [...plan.tables]
  return {
    plan,
    statement: compilePlan(plan, { server: structure.model.server, forUser }),
    personal: tables.some(table => table.personal !== undefined),
    secured: tables.some(table => table.rowSecurity),
    aboutSchema: plan.fields.flatMap(field => (field.kind === 'introspection' ? [field.field] : [])),
    uses: 0,
    allowed: undefined,
  }
}

const find = (structure: Structure, planned: Planned, grant: Grant, shape: string): CachedPlan => {
  const key = `${shape} ${planned.operation.definition.name?.value ?? ''} ${planned.text}`
  const known = structure.plans.get(key)
  if (known !== undefined) return known
  const { scopeKey, kind } = grant
  const made = structure.refused.unlessRefused({ scopeKey, stage: 'plan', text: key }, () =>
    makePlan(structure, planned, kind === 'user'),
  )
  structure.plans.set(key, made)
  return made
}

interface Recent {
  readonly shape: string
  readonly cached: CachedPlan
}

/** The last plan of each cached operation: most clients use one shape, and need no lookup by text. */
const recent = new WeakMap<Operation, Recent>()

export const planFor = (structure: Structure, planned: Planned, grant: Grant): CachedPlan => {
  const forUser = grant.kind === 'user'
  const shape = (forUser ? 'u ' : 'a ') + planned.variables.key
  const last = recent.get(planned.operation)
  if (last?.shape === shape) return last.cached
  const cached = find(structure, planned, grant, shape)
  recent.set(planned.operation, { shape, cached })
  return cached
}
