// A structure and a grant → the schema with what the grant may read, made once for each set of scopes that reach data.
import type { GraphQLSchema } from 'graphql'
import type { Grant } from '../../access/grant.ts'
import { dataScopes, scopeKeyOf } from '../../access/scopes.ts'
import { visibleTo } from '../../catalog/visible-to.ts'
import { buildGraphqlSchema } from '../schema/build-schema.ts'
import type { Structure } from '../structure.ts'

const data: ReadonlySet<string> = new Set(dataScopes)
const keys = new WeakMap<Grant, string>()

/** Scopes about who somebody is change nothing of the schema: without them there are far fewer views to make. */
export const viewKeyOf = (grant: Grant): string => {
  const known = keys.get(grant) ?? scopeKeyOf([...grant.scopes].filter(scope => data.has(scope)))
  keys.set(grant, known)
  return known
}

export const schemaFor = (structure: Structure, grant: Grant): GraphQLSchema => {
  const key = viewKeyOf(grant)
  const known = structure.views.get(key)
  if (known !== undefined) return known
  const view = buildGraphqlSchema(visibleTo(structure.model, grant.scopes))
  structure.views.set(key, view)
  return view
}
