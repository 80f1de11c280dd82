// A message → the tool call in it, if it is the usual one that nearly every client sends; otherwise undefined, and the library of
// the protocol decides. The library builds a server and streams for each message, which costs more than most tools do. So
// a call is answered directly if its form leaves no doubt; test/mcp/direct-call.test.ts holds the answers of both against each other.
import type { IncomingHttpHeaders } from 'node:http'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  isJsonContentType,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server'
import type { CalledTool } from './call-tool.ts'
import type { Message } from './message.ts'
import type { Tools } from './tools.ts'

/** The protocol whose requests stand by themselves. */
const MODERN_VERSION = '2026-07-28'

export interface DirectCall {
  readonly id: string | number
  readonly called: CalledTool
  /** `legacy`: of 2025, for clients that begin with `initialize`. */
  readonly era: 'modern' | 'legacy'
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasOnly = (value: Members, names: readonly string[]): boolean =>
  Object.keys(value).every(name => names.includes(name))

const isToken = (value: unknown): boolean =>
  value === undefined || typeof value === 'string' || Number.isSafeInteger(value)

const metaNames = {
  legacy: ['progressToken'],
  modern: ['progressToken', PROTOCOL_VERSION_META_KEY, CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY],
}

const hasUsualParameters = (params: unknown, era: DirectCall['era']): boolean => {
  if (!isObject(params) || !hasOnly(params, ['name', 'arguments', '_meta'])) return false
  const { arguments: sent, _meta: meta } = params
  if (sent !== undefined && !isObject(sent)) return false
  return meta === undefined || (isObject(meta) && hasOnly(meta, metaNames[era]) && isToken(meta.progressToken))
}

/** Of 2025: any of the versions that the library negotiates, and a client that reads streams. */
const hasLegacyHeaders = (version: unknown, accept = ''): boolean =>
  accept.includes('application/json') &&
  accept.includes('text/event-stream') &&
  (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version)))

const eraNamed = (headers: IncomingHttpHeaders, name: string): DirectCall['era'] | undefined => {
  const version = headers['mcp-protocol-version']
  if (version === MODERN_VERSION)
    return headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name ? 'modern' : undefined
  return hasLegacyHeaders(version, headers.accept) ? 'legacy' : undefined
}

/** Whether the library reads the same from the message, and finds that it keeps to its schema. */
const isConfirmed = (era: DirectCall['era'], body: unknown): boolean => {
  const inbound = { httpMethod: 'POST', body }
  if (era === 'modern') {
    const route = classifyInboundRequest({ ...inbound, protocolVersionHeader: MODERN_VERSION })
    return route.kind === 'modern' && route.messageKind === 'request'
  }
  const route = classifyInboundRequest(inbound)
  return route.kind === 'legacy' && route.reason === 'no-claim'
}

export const directCallIn = (tools: Tools, headers: IncomingHttpHeaders, message: Message): DirectCall | undefined => {
  if (message.kind !== 'message' || message.called === undefined || !tools.has(message.called.name)) return undefined
  const { json, called } = message
  if (!isObject(json) || !isJsonContentType(headers['content-type'] ?? null)) return undefined
  const { id, params } = json
  const era = eraNamed(headers, called.name)
  if (era === undefined || !hasUsualParameters(params, era) || !isConfirmed(era, json)) return undefined
  return typeof id === 'string' || typeof id === 'number' ? { id, called, era } : undefined
}
