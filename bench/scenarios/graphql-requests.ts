// A question → the requests that ask it of Minaret or a peer.

import { asClientWrites, clientHeaders } from '../load/clients.ts'
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

/** Even with few different variables, the requests come from many clients. */
const LEAST_REQUESTS = 2000

export const graphqlRequests = ({ path, query, variables, credential }: Asked): readonly string[] =>
  Array.from({ length: Math.max(LEAST_REQUESTS, variables.length) }, (_, number) => {
    const body = asClientWrites({ query, variables: variables[number % variables.length] }, number)
    return jsonRequest(path, body, { ...clientHeaders(number), ...headersFor(credential) })
  })

export const randomly = (asked: Asked): (() => Source) => {
  const requests = graphqlRequests(asked)
  return () => ({ kind: 'random', requests })
}

/** A single response, to check what is about to be measured. */
export const askOnce = async (port: number, { path, query, variables, credential }: Asked): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersFor(credential) },
    body: JSON.stringify({ query, variables: variables[0] }),
  })
  return response.text()
}
