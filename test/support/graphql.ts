// A small GraphQL client for tests: one keep-alive connection, the raw response, and whether the connection was kept.
import { Agent, type ClientRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import type { TestMinaret } from './minaret.ts'
import { within } from './oauth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a response has the shape of its query
export type Data = any

export interface AnswerError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions: { readonly code: string; readonly [more: string]: unknown }
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The client's port: unchanged as long as the connection is kept. */
  readonly port: number
}

export interface Answer extends RawAnswer {
  readonly body: { readonly data?: Data; readonly errors?: readonly AnswerError[]; readonly extensions?: Data }
}

export interface Question {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string | null
  readonly extensions?: Readonly<Record<string, unknown>>
}

export interface Sending {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
}

export interface GraphqlClient {
  /** Sends a body unchanged. */
  send(body: string | Buffer | undefined, sending?: Sending): Promise<RawAnswer>
  query(question: Question | readonly Question[], headers?: OutgoingHttpHeaders): Promise<Answer>
  close(): void
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/graphql-response+json' }

const bearer = (key: string | undefined): OutgoingHttpHeaders =>
  key === undefined ? {} : { authorization: `Bearer ${key}` }

/** The server may close an idle connection just as the next request is sent. */
const wasStale = (asked: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  asked.reusedSocket && error.code === 'ECONNRESET'

/** One reused connection, as in a client's pool. */
export const openClient = (
  { baseUrl }: Pick<TestMinaret, 'baseUrl'>,
  key?: string,
  { retryStale = false } = {},
): GraphqlClient => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send: GraphqlClient['send'] = (body, sending = {}) =>
    new Promise((resolve, reject) => {
      const { method = 'POST', path = '/v1/graphql', headers = {} } = sending
      const length = 'transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(body ?? '') }
      const all = { ...jsonHeaders, ...length, ...bearer(key), ...headers }
      const given = Object.entries(all).filter(([, value]) => value !== undefined)
      const asked = request(new URL(path, baseUrl), { method, agent, headers: Object.fromEntries(given) }, response => {
        const chunks: Buffer[] = []
        const port = response.socket.localPort ?? 0
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, port })
        })
      })
      asked.on('error', error => {
        if (retryStale && wasStale(asked, error)) resolve(send(body, sending))
        else reject(error)
      })
      asked.end(body)
    })
  return {
    send,
    query: async (question, headers = {}) => {
      const answer = await send(JSON.stringify(question), { headers })
      return { ...answer, body: JSON.parse(answer.text) }
    },
    close: () => agent.destroy(),
  }
}

/** A table that was just created takes a moment to be in the schema, and its relationships with it. */
export const waitForTable = (client: GraphqlClient, table: string): Promise<void> =>
  within(60_000, `${table} is in the schema`, async () => {
    const { body } = await client.query({ query: `{ ${table}(limit: 1) { __typename } }` })
    return body.errors === undefined
  })
