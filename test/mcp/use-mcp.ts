// Messages to the endpoint for assistants, in the protocol of 2026-07-28, and people with tokens for it.
import assert from 'node:assert/strict'
import type { User } from '../../src/accounts/users.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { type Flow, getTokens, makeClient, signIn, type Tokens } from '../support/oauth.ts'

export const VERSION = '2026-07-28'

const envelope = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
}

export interface Message {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
}

export interface Sending {
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

export const send = (
  url: string,
  { method, params = {} }: Message,
  { token, headers = {} }: Sending = {},
): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': method,
      ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } }),
  })

// biome-ignore lint/suspicious/noExplicitAny: a result has the shape of its tool
type Data = any

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[]
  readonly structuredContent?: Data
  readonly isError?: boolean
}

export type Arguments = Readonly<Record<string, unknown>>

export const sendCall = (url: string, name: string, sent: Arguments, token?: string): Promise<Response> =>
  send(url, { method: 'tools/call', params: { name, arguments: sent } }, { token })

const readResult = async (response: Response): Promise<ToolResult> => {
  const body = (await response.json()) as { result?: ToolResult; error?: unknown }
  assert.equal(response.status, 200, JSON.stringify(body))
  assert.ok(body.result !== undefined, JSON.stringify(body))
  return body.result
}

/** The result, whether the tool did what it was asked or not. */
export const callFor = async (url: string, name: string, sent: Arguments, token?: string): Promise<ToolResult> =>
  readResult(await sendCall(url, name, sent, token))

export const textOf = ({ content }: ToolResult): string => content.map(({ text }) => text).join('\n')

/** The structured content of a call that succeeds. */
export const call = async (url: string, name: string, sent: Arguments, token?: string): Promise<Data> => {
  const result = await callFor(url, name, sent, token)
  assert.notEqual(result.isError, true, textOf(result))
  return result.structuredContent
}

/** What the tool says when it refuses. */
export const refusedCall = async (url: string, name: string, sent: Arguments, token?: string): Promise<string> => {
  const result = await callFor(url, name, sent, token)
  assert.equal(result.isError, true, textOf(result))
  return textOf(result)
}

const ALL_SCOPES =
  'masjid:read events:read prayer-times:read donations:read members:read masjid:write events:write prayer-times:write'

/** Tokens of a person for the endpoint of assistants. */
export const tokensFor = async (
  minaret: TestMinaret,
  user: User,
  scope = ALL_SCOPES,
): Promise<Tokens & { flow: Flow }> => {
  const { database } = minaret.service
  const app = await makeClient(database, { scopes: ALL_SCOPES })
  const flow = { app, user, cookie: await signIn(database, user) }
  const resource = `${minaret.baseUrl}/mcp`
  return { ...(await getTokens(minaret, flow, { scope, parameters: { resource } })), flow }
}
