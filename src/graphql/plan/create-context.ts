// What planning starts from → an empty context; and the context at the end → the plan.
import type { PlanContext } from './context.ts'
import type { Plan, RootField } from './plan.ts'

export type ContextInput = Pick<PlanContext, 'model' | 'fragments' | 'variables' | 'required' | 'relay'>

export const createContext = (input: ContextInput, estimates: boolean): PlanContext => ({
  ...input,
  tables: new Set(),
  functions: new Set(),
  functionScopes: new Map(),
  deprecated: new Set(),
  places: new Map(),
  gathered: { cost: 0, writes: 0, totalsOverPeople: false, asksWho: false, refusal: undefined },
  parts: new Map(),
  estimates,
  counted: { conditions: 0, relatedConditions: 0, relatedDepth: 0, fields: 0 },
})

/** What planning collected, with the fields that it planned. */
export const planOf = (context: PlanContext, fields: readonly RootField[]): Plan => {
  const { tables, functions, functionScopes, deprecated, places, gathered, estimates } = context
  const gained = { tables, functions, functionScopes, deprecated, places, ...gathered }
  return { kind: 'plan', fields, ...gained, estimated: estimates }
}
