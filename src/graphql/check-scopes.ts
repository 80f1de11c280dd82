// A plan and a grant → refused if the plan names a table, anywhere, whose scope the grant lacks; then if it may not run at all.
import { GraphQLError } from 'graphql'
import type { Grant } from '../access/grant.ts'
import { DocumentErrors } from './document-errors.ts'
import type { Plan } from './plan/plan.ts'
import type { CachedPlan } from './structure.ts'

const lacking = (scopes: readonly string[], grant: Grant): string[] =>
  scopes.filter(scope => !(grant.scopes as ReadonlySet<string>).has(scope))

interface Lacking {
  readonly name: string
  readonly scopes: readonly string[]
  readonly advice: string | undefined
}

const wordsFor = ({ name, scopes, advice }: Lacking): string =>
  `${name} needs the scope ${scopes.join(' and ')}, which this credential lacks.${advice === undefined ? '' : ` ${advice}`}`

const complaint = ({ places }: Plan, { name, scopes, advice }: Lacking): GraphQLError =>
  new GraphQLError(wordsFor({ name, scopes, advice }), {
    nodes: places.get(name)?.node,
    path: places.get(name)?.path,
    extensions: { code: 'insufficient-scope', table: name, scopes },
  })

export const checkScopes = (cached: CachedPlan, grant: Grant): void => {
  if (cached.allowed === grant.scopeKey) return
  const { plan } = cached
  const needs: (readonly [string, readonly string[]])[] = [
    ...[...plan.tables].map(table => [table.name, table.scopes] as const),
    ...plan.functionScopes,
  ]
  const refused = needs.flatMap(([name, scopes]) => {
    const missing = lacking(scopes, grant)
    return missing.length === 0 ? [] : [complaint(plan, { name, scopes: missing, advice: grant.advice })]
  })
  if (refused.length > 0) throw new DocumentErrors(refused)
  if (plan.refusal !== undefined) throw plan.refusal
  cached.allowed = grant.scopeKey
}
