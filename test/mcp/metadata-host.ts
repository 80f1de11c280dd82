// A host on loopback with Client ID Metadata Documents, and the way to it: names resolve as a test says.
import type { ServerResponse } from 'node:http'
import { type Dial, publicDial, type Resolved } from '../../src/outbound/guarded-fetch.ts'
import { certificate, openTlsServer } from '../support/tls-server.ts'

export const CLIENT_ID = 'https://logo.test/assistant.json'
export const OTHER_CLIENT_ID = 'https://other.test/assistant.json'
export const LOOPBACK_URI = 'http://127.0.0.1/callback'

export const documentFor = (clientId: string, more: Readonly<Record<string, unknown>> = {}): object => ({
  client_id: clientId,
  client_name: 'Helpful Assistant',
  redirect_uris: ['https://assistant.example.org/callback', LOOPBACK_URI, 'http://localhost/callback'],
  token_endpoint_auth_method: 'none',
  ...more,
})

export interface MetadataHost {
  readonly dial: Dial
  /** What is asked for, in order: host and path. */
  readonly requests: string[]
  /** By address; anything else is 404. */
  readonly answers: Map<string, (response: ServerResponse) => void>
  /** The addresses of a name; loopback unless set. */
  readonly names: Map<string, () => readonly Resolved[]>
  serve(clientId: string, document: unknown, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

const loopback: Resolved = { address: '127.0.0.1', family: 4 }

export const openMetadataHost = async (): Promise<MetadataHost> => {
  const requests: string[] = []
  const answers: MetadataHost['answers'] = new Map()
  const names: MetadataHost['names'] = new Map()
  const server = await openTlsServer((request, response) => {
    const address = `https://${request.headers.host?.split(':')[0]}${request.url}`
    requests.push(address)
    const answer = answers.get(address)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response)
  })
  return {
    requests,
    answers,
    names,
    dial: {
      ...publicDial,
      // The machine may be busy: that two seconds are the limit is the default's to say.
      timeoutMs: 30_000,
      connection: { port: server.port, ca: certificate },
      resolve: async host => names.get(host)?.() ?? [loopback],
      mayReach: address => address === loopback.address || publicDial.mayReach(address),
    },
    serve: (clientId, document, headers = {}) =>
      answers.set(clientId, response =>
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document)),
      ),
    close: () => server.close(),
  }
}
