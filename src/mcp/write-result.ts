// The result of a direct call → its answer, as the library of the protocol writes it: JSON, or for clients of 2025 a stream of one event.
import { type CallToolResult, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server'
import { jsonAnswer, type OpenAnswer } from '../http/open-response.ts'
import type { DirectCall } from './direct-call.ts'
import { serverInfo } from './server-info.ts'

const modernMeta = { [SERVER_INFO_META_KEY]: serverInfo }

const messageFor = ({ id, era }: DirectCall, result: CallToolResult): string => {
  const complete = era === 'modern' ? { ...result, resultType: 'complete', _meta: modernMeta } : result
  return JSON.stringify({ result: complete, jsonrpc: '2.0', id })
}

export const writeResult = (call: DirectCall, result: CallToolResult): OpenAnswer => {
  const message = messageFor(call, result)
  if (call.era === 'modern') return jsonAnswer(200, message)
  return { status: 200, type: 'text/event-stream', body: `event: message\ndata: ${message}\n\n` }
}
