// A structure and a grant → the schema of what the grant may read, built once for each set of data scopes.
import type { GraphQLSchema } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import { dataScopes, scopeKeyOf } from '../../access/scopes.ts'
import { visibleTo } from '../../catalog/visible-to.ts'
import type { Structure } from '../structure.ts'

const data: ReadonlySet<string> = new Set(dataScopes)
const keys = new WeakMap<Grant, string>()

/** Identity scopes do not affect the schema: without them there are far fewer variants to build. */
export const viewKeyOf = (grant: Grant): string => {
  const known = keys.get(grant) ?? scopeKeyOf([...grant.scopes].filter(scope => data.has(scope)))
  keys.set(grant, known)
  return known
}

export const schemaFor = (structure: Structure, grant: Grant): GraphQLSchema => {
  const key = viewKeyOf(grant)
  const known = structure.views.get(key)
  if (known !== undefined) return known
  const view = structure.view.buildSchema(visibleTo(structure.model, grant.scopes))
  structure.views.set(key, view)
  return view
}
