// Responses that stay open as streams of events: how long they take says nothing about how fast the service is.
import type { ServerResponse } from 'node:http'

export const streamedResponses = new WeakSet<ServerResponse>()
