// The body of a request → the message in it, and the tool that it calls.
import type { CalledTool } from './call-tool.ts'

export type Message =
  /** Not JSON: the protocol library says so. */
  | { readonly kind: 'unreadable' }
  /** Several at once: left out of the protocol since 2025-06-18. */
  | { readonly kind: 'batch' }
  | {
      readonly kind: 'message'
      readonly json: unknown
      readonly method: string
      readonly called: CalledTool | undefined
    }

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

const calledIn = (json: unknown): CalledTool | undefined => {
  const parameters = member(json, 'params')
  const name = member(parameters, 'name')
  if (member(json, 'method') !== 'tools/call' || typeof name !== 'string') return undefined
  return { name, sent: member(parameters, 'arguments') }
}

export const readMessage = (body: string): Message => {
  try {
    const json: unknown = JSON.parse(body)
    if (Array.isArray(json)) return { kind: 'batch' }
    return { kind: 'message', json, method: String(member(json, 'method') ?? ''), called: calledIn(json) }
  } catch {
    return { kind: 'unreadable' }
  }
}

/** A JSON-RPC error for a message that goes no further. */
export const protocolError = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
