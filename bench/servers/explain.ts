// A document → the statement Minaret compiles for it, as development mode shows it.
import type { Connection } from '../../src/db/connection.ts'
import { databaseUrl, startMinaret } from './minaret.ts'

export interface Explainer {
  explain(query: string, variables: Readonly<Record<string, unknown>>): Promise<string>
  stop(): Promise<void>
}

export const startExplainer = async (database: Connection, key: string): Promise<Explainer> => {
  const minaret = await startMinaret({
    DATABASE_URL: databaseUrl(database),
    MINARET_SECRET: 'a secret of the benchmark, known to all',
    DEMO_DATA: 'off',
    RATE_LIMITS: 'off',
  })
  return {
    explain: async (query, variables) => {
      const response = await fetch(`http://127.0.0.1:${minaret.port}/v1/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, 'x-minaret-explain': '1' },
        body: JSON.stringify({ query, variables }),
      })
      const answer = (await response.json()) as { extensions?: { sql?: string } }
      const statement = answer.extensions?.sql
      if (statement === undefined)
        throw new Error(`Minaret shows no statement for:\n${query}\n${JSON.stringify(answer).slice(0, 300)}`)
      return statement
    },
    stop: minaret.stop,
  }
}
