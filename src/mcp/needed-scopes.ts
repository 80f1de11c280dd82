// A tool call → the scopes it needs: those of the tool or, for a query, those of the tables that its document names.
import type { Grant } from '../access/grant.ts'
import { isScope, type Scope, sortScopes } from '../access/scopes.ts'
import type { Engine } from '../graphql/create-graphql.ts'
import { asksForChange } from '../graphql/document.ts'
import { refusalOf } from '../graphql/errors.ts'
import { prepare } from '../graphql/prepare.ts'
import type { GraphqlRequest } from '../graphql/request.ts'
import type { CalledTool } from './call-tool.ts'
import { queryTool } from './tools/query.ts'
import type { Tools } from './tools.ts'

const without = (grant: Grant): Grant => ({ ...grant, scopes: new Set(), scopeKey: '' })

const scopesRefused = (engine: Engine, grant: Grant, request: GraphqlRequest): Scope[] => {
  try {
    prepare(engine.structures.current(), request, { grant })
    return []
  } catch (error) {
    const scopes = refusalOf(error)?.errors.flatMap(
      ({ extensions }) => (extensions.scopes as string[] | undefined) ?? [],
    )
    return sortScopes((scopes ?? []).filter(isScope))
  }
}

/**
 * Planned for somebody without scopes, the document is refused, and the refusal names all that it needs. A document that the grant
 * allows, as nearly every one, is not planned twice. One that would change something needs no scopes: no token makes this tool run it.
 */
const scopesOfDocument = (engine: Engine, grant: Grant, sent: unknown): Scope[] => {
  const read = queryTool.input.safeParse(sent)
  if (!read.success) return []
  const { query, variables = {} } = read.data as { query: string; variables?: Record<string, unknown> }
  if (asksForChange(query, undefined)) return []
  const request = { query, variables, operationName: undefined }
  return scopesRefused(engine, grant, request).length === 0 ? [] : scopesRefused(engine, without(grant), request)
}

export const neededScopes = (
  { tools, engine }: { readonly tools: Tools; readonly engine: Engine },
  called: CalledTool | undefined,
  grant: Grant | undefined,
): readonly Scope[] => {
  const tool = called === undefined ? undefined : tools.get(called.name)
  if (called === undefined || tool === undefined) return []
  if (tool !== queryTool) return tool.scopes
  return grant === undefined ? [] : scopesOfDocument(engine, grant, called.sent)
}
