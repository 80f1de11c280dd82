// A question → the requests that ask Minaret, or a peer, for its answer.
import type { Source } from '../load/job.ts'
import { jsonRequest } from '../load/request.ts'
import type { Variables } from './questions.ts'

export interface Asked {
  readonly path: string
  readonly query: string
  readonly variables: readonly Variables[]
  readonly credential?: string
}

export const ANSWER_START = '{"data":{'

const headersFor = (credential: string | undefined): Readonly<Record<string, string>> =>
  credential === undefined ? {} : { authorization: `Bearer ${credential}` }

export const graphqlRequests = ({ path, query, variables, credential }: Asked): readonly string[] =>
  variables.map(values => jsonRequest(path, { query, variables: values }, headersFor(credential)))

export const randomly = (asked: Asked): (() => Source) => {
  const requests = graphqlRequests(asked)
  return () => ({ kind: 'random', requests })
}

/** One answer by itself, for checking what is about to be measured. */
export const askOnce = async (port: number, { path, query, variables, credential }: Asked): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersFor(credential) },
    body: JSON.stringify({ query, variables: variables[0] }),
  })
  return response.text()
}
