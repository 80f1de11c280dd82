// Raw functions marked `@mutation` → the mutations that they are, or why they are not shown.
import { readComment, wordsOf } from './annotations.ts'
import { buildArguments } from './build-arguments.ts'
import { type Built, isOverloaded, type RowTypes, whyNotCalled } from './build-functions.ts'
import type { TableFunction } from './model.ts'
import { isGraphqlName, isWriteScope } from './names.ts'
import type { RawFunction } from './raw-catalog.ts'
import type { TypeLookup } from './value-type.ts'

interface Context {
  readonly types: TypeLookup
  readonly rows: RowTypes
  readonly knownScopes: readonly string[]
}

export interface BuiltActions {
  readonly actions: readonly Built<TableFunction>[]
  readonly leftOut: readonly string[]
}

const isAction = ({ comment }: RawFunction): boolean => {
  const { annotations } = readComment(comment)
  return annotations.has('mutation') && !annotations.has('hidden')
}

const whyNoScope = (scopes: readonly string[], known: readonly string[]): string | undefined => {
  if (scopes.length === 0) return 'its comment names no scope for writing ("@scope …:write")'
  const unknown = scopes.filter(scope => !known.includes(scope) && !isWriteScope(scope))
  if (unknown.length > 0) return `its comment names an unknown scope (${unknown.join(', ')})`
  return scopes.some(isWriteScope) ? undefined : 'none of its scopes is one for writing'
}

const buildAction = (raw: RawFunction, { types, rows, knownScopes }: Context): Built<TableFunction> | string => {
  const { annotations, description } = readComment(raw.comment)
  const table = rows(raw.returnType)
  const scopes = wordsOf(annotations.get('scope'))
  const name = annotations.get('name') ?? raw.name
  const noScope = whyNoScope(scopes, knownScopes)
  if (!raw.volatile) return 'its comment says @mutation, but it is not VOLATILE'
  if (table === undefined) return 'it returns no rows of a shown table'
  if (noScope !== undefined) return noScope
  if (!isGraphqlName(name)) return 'its name is no GraphQL name; give it one with a comment "@name …"'
  const built = buildArguments(raw, types)
  const reason = whyNotCalled(raw, built)
  if (reason !== undefined || 'reason' in built) return reason ?? ''
  const shown: TableFunction = {
    name,
    function: raw.name,
    table: table.name,
    single: !raw.returnsSet,
    calculated: false,
    arguments: built.arguments,
    scopes,
    description,
  }
  return { oid: raw.oid, relation: table.raw.oid, shown }
}

export const buildActions = (all: readonly RawFunction[], context: Context): BuiltActions => {
  const actions: Built<TableFunction>[] = []
  const leftOut: string[] = []
  for (const raw of all.filter(isAction)) {
    const built = isOverloaded(raw, all) ? 'there is another function of its name' : buildAction(raw, context)
    if (typeof built === 'string') leftOut.push(`function ${JSON.stringify(raw.name)}: ${built}`)
    else actions.push(built)
  }
  return { actions, leftOut }
}
