// A document, an operation and the shape of its variables → its plan and statement, cached.
import type { Grant } from '../access/grant.ts'
import { sourcesOfPlan } from './answers/may-keep.ts'
import { compilePlan, statementName } from './compile/compile-plan.ts'
import type { Audience } from './compile/writer.ts'
import type { Operation, PreparedDocument } from './document.ts'
import { watchedTables } from './live/watched-tables.ts'
import { planOperation } from './plan/plan-operation.ts'
import type { ReadVariables } from './read-variables.ts'
import { rootNames } from './root-names.ts'
import type { CachedPlan, Structure } from './structure.ts'
import { compileMutation } from './write/compile-mutation.ts'
import { planMutation } from './write/plan-mutation.ts'

export interface Planned {
  readonly text: string
  readonly document: PreparedDocument
  readonly operation: Operation
  readonly variables: ReadVariables
}

type Made = Pick<CachedPlan, 'plan' | 'statement' | 'mutation' | 'watched'>

const inputOf = ({ model, view }: Structure, { document, operation, variables }: Planned) => ({
  model,
  relay: view.relay,
  fragments: document.fragments,
  required: document.required,
  operation: operation.definition,
  variables: variables.shapes,
})

const makeQuery = (structure: Structure, planned: Planned, audience: Audience): Made => {
  const plan = planOperation({ ...inputOf(structure, planned), roots: structure.roots })
  return { plan, statement: compilePlan(plan, audience), mutation: undefined, watched: undefined }
}

/** The texts of its steps stand for its statement, where that is measured or shown. */
const makeMutation = (structure: Structure, planned: Planned, audience: Audience): Made => {
  const written = planMutation({ ...inputOf(structure, planned), roots: structure.mutationRoots })
  const compiled = compileMutation(written, audience)
  const text = compiled.steps.map(step => step.text).join(';\n')
  return {
    plan: written.plan,
    statement: { text, name: statementName(text), slots: [], offsets: [], none: '' },
    mutation: { ...compiled, dryRun: written.dryRun },
    watched: undefined,
  }
}

/** A query that is asked again and again. */
const makeSubscription = (structure: Structure, planned: Planned, audience: Audience): Made => {
  const plan = planOperation({ ...inputOf(structure, planned), roots: structure.liveRoots })
  const statement = compilePlan(plan, audience)
  return { plan, statement, mutation: undefined, watched: watchedTables(structure.model, plan, statement.slots) }
}

const makers = { query: makeQuery, mutation: makeMutation, subscription: makeSubscription } as const

const makePlan = (structure: Structure, planned: Planned, forUser: boolean): CachedPlan => {
  const { definition } = planned.operation
  const make = makers[definition.operation]
  const made = make(structure, planned, { server: structure.model.server, forUser })
  const tables = [...made.plan.tables]
  const cached = {
    ...made,
    counted: { kind: definition.operation, names: rootNames(definition, planned.document.fragments) },
    personal: tables.some(table => table.personal !== undefined),
    secured: made.plan.asksWho || tables.some(table => table.rowSecurity),
    aboutSchema: made.plan.fields.flatMap(field => (field.kind === 'introspection' ? [field.field] : [])),
    uses: 0,
    allowed: undefined,
  }
  return { ...cached, sources: sourcesOfPlan(structure.model, cached) }
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

/** How many objects a mutation may write to be kept with its operation. */
const FEW_WRITES = 20

/** The last plan of each cached operation: most clients use one shape, and need no lookup by text. */
const recent = new WeakMap<Operation, Recent>()

export const planFor = (structure: Structure, planned: Planned, grant: Grant): CachedPlan => {
  const forUser = grant.kind === 'user'
  const shape = (forUser ? 'u ' : 'a ') + planned.variables.key
  const last = recent.get(planned.operation)
  if (last?.shape === shape) return last.cached
  const cached = find(structure, planned, grant, shape)
  // The size of a mutation depends on its variables: the cache of plans measures it, this one does not.
  if (cached.mutation === undefined || cached.plan.writes <= FEW_WRITES)
    recent.set(planned.operation, { shape, cached })
  return cached
}
