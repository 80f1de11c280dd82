// The scopes of an app → a short query that they open.
import { type Scope, scopeDescriptions } from '../../access/scopes.ts'

/** An app without a scope for data can still ask what it may read. */
export const firstQueryFor = (scopes: readonly Scope[]): string =>
  scopeDescriptions.find(({ name, example }) => example !== undefined && scopes.includes(name))?.example ??
  '{ __typename }'
