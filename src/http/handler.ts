// What responds to a request of Node's server.
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void
