// Two sets of an app's values → their differences, by the names used in the table of changes.
import type { Scope } from '../access/scopes.ts'
import type { AppValues } from './app.ts'

/** Only the values to change. An empty string removes a value. */
export type ProposedValues = Partial<{
  readonly [Field in keyof AppValues]: Field extends 'requestedScopes' ? readonly Scope[] : AppValues[Field] | null
}>

export const valueFields = [
  'name',
  'description',
  'homePage',
  'logo',
  'redirectUris',
  'postLogoutRedirectUris',
  'requestedScopes',
  'idTokenAlgorithm',
  'clientAuthentication',
  'deviceFlow',
] as const satisfies readonly (keyof AppValues)[]

const sameValue = (left: unknown, right: unknown): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

export const differences = (before: AppValues, after: AppValues): ProposedValues =>
  Object.fromEntries(
    valueFields.filter(field => !sameValue(before[field], after[field])).map(field => [field, after[field] ?? null]),
  )

export const withProposed = (app: AppValues, proposed: ProposedValues): AppValues => {
  const merged = { ...app, ...proposed }
  return { ...merged, homePage: merged.homePage ?? undefined, logo: merged.logo ?? undefined } as AppValues
}
