// An app's scopes → a short query that they allow.
import { type Scope, scopeDescriptions } from '../../access/scopes.ts'

/** An app without data scopes gets a query that every app may run. */
export const firstQueryFor = (scopes: readonly Scope[]): string =>
  scopeDescriptions.find(({ name, example }) => example !== undefined && scopes.includes(name))?.example ??
  '{ __typename }'
