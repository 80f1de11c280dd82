// A key and an app → the response to its first query, sent to our own endpoint as any client would.
import type { KeyEnvironment } from '../../access/api-key-format.ts'
import type { App } from '../../apps/app.ts'
import { firstQueryFor } from './first-query.ts'
import type { QueryAnswer } from './start-page.ts'

/** Sends a GraphQL request to the service (`live`) or to the sandbox (`test`). */
export type RunQuery = (
  environment: KeyEnvironment,
  request: { readonly authorization: string; readonly body: string },
) => Promise<{ readonly status: number; readonly body: string }>

export interface FirstQuery {
  readonly app: App
  readonly key: string
  readonly environment: KeyEnvironment
}

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export const runFirstQuery = async (run: RunQuery, { app, key, environment }: FirstQuery): Promise<QueryAnswer> => {
  const scopes = app.scopes.length > 0 && environment === 'live' ? app.scopes : app.requestedScopes
  const started = performance.now()
  const body = JSON.stringify({ query: firstQueryFor(scopes) })
  const answer = await run(environment, { authorization: `Bearer ${key}`, body })
  return { status: answer.status, milliseconds: Math.round(performance.now() - started), body: pretty(answer.body) }
}
