// Calls that are answered directly, beside the answers of the protocol's library to the same messages.
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { after, describe, test } from 'node:test'
import * as z from 'zod'
import { createLogger } from '../../src/base/log.ts'
import { callTool } from '../../src/mcp/call-tool.ts'
import { directCallIn } from '../../src/mcp/direct-call.ts'
import { readMessage } from '../../src/mcp/message.ts'
import { createServing } from '../../src/mcp/serve.ts'
import { type Call, defineTool } from '../../src/mcp/tool.ts'
import { ToolRefusal } from '../../src/mcp/tool-refusal.ts'
import { writeResult } from '../../src/mcp/write-result.ts'

const log = createLogger('silent')

const echo = defineTool({
  name: 'echo',
  title: 'Echo',
  description: 'Repeats.',
  scopes: [],
  writes: false,
  input: z.strictObject({ words: z.string().optional(), fails: z.enum(['refused', 'broken']).optional() }),
  output: z.object({ words: z.string() }),
  run: async (_call, { words = '', fails }) => {
    if (fails === 'refused') throw new ToolRefusal('Not today.')
    if (fails === 'broken') throw new Error('a detail that nobody is told')
    return { words: `${words}\nالسلام`, data: { words, nothing: null, list: [1, { deep: 'é' }] } }
  },
})
const tools = new Map([[echo.name, echo]])
const serving = createServing({ tools, log, baseUrl: 'https://minaret.test' })
after(() => serving.close())

const caller = { id: 'request-1', call: { grant: { scopes: new Set() } } as unknown as Call }

const META = 'io.modelcontextprotocol'
const envelope = {
  [`${META}/protocolVersion`]: '2026-07-28',
  [`${META}/clientCapabilities`]: {},
  [`${META}/clientInfo`]: { name: 'test', version: '1' },
}
type Members = Readonly<Record<string, unknown>>

const call = (params: Members, more: Members = {}): Members => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  ...more,
  params: { name: 'echo', ...params },
})
const modern = (params: Members = {}, more: Members = {}): Members => call({ _meta: envelope, ...params }, more)
const withMeta = (more: Members): Members => modern({ _meta: { ...envelope, ...more } })

const base = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const modernHeaders = { ...base, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' }
const legacyHeaders = { ...base, 'mcp-protocol-version': '2025-11-25' }

const answersTo = async (headers: IncomingHttpHeaders, body: unknown) => {
  const text = JSON.stringify(body)
  const message = readMessage(text)
  const direct = directCallIn(tools, headers, message)
  const read = ({ status, type, body }: { status: number; type: string | undefined; body: string }) => ({
    status,
    type,
    message: JSON.parse(body.replace(/^event: message\ndata: /, '')),
    ending: body.slice(-2),
  })
  return {
    library: read(await serving.respond({ headers, text, message }, caller)),
    direct: direct && read(writeResult(direct, await callTool(tools, direct.called, { ...caller, log }))),
  }
}

type Case = readonly [what: string, headers: IncomingHttpHeaders, body: unknown]

const usual: readonly Case[] = [
  ['2026: without arguments', modernHeaders, modern()],
  ['2026: with arguments', modernHeaders, modern({ arguments: { words: 'a "quoted" <b> \u2028 line\n' } })],
  ['2026: an id of text', modernHeaders, modern({}, { id: 'seven' })],
  ['2026: the id 0', modernHeaders, modern({}, { id: 0 })],
  ['2026: a progress token', modernHeaders, withMeta({ progressToken: 'p-1' })],
  ['2026: arguments that are not valid', modernHeaders, modern({ arguments: { wrods: 1 } })],
  ['2026: a refusal of the tool', modernHeaders, modern({ arguments: { fails: 'refused' } })],
  ['2026: an internal error', modernHeaders, modern({ arguments: { fails: 'broken' } })],
  ['2026: no client info', modernHeaders, withMeta({ [`${META}/clientInfo`]: undefined })],
  ['2026: accepts only JSON', { ...modernHeaders, accept: 'application/json' }, modern()],
  ['2026: accepts anything', { ...modernHeaders, accept: '*/*' }, modern()],
  ['2026: JSON with a charset', { ...modernHeaders, 'content-type': 'application/json; charset=utf-8' }, modern()],
  ['2025-11-25: with arguments', legacyHeaders, call({ arguments: { words: 'x' } })],
  ['2025-06-18', { ...legacyHeaders, 'mcp-protocol-version': '2025-06-18' }, call({})],
  ['2025: without a version', base, call({ _meta: { progressToken: 5 } })],
  ['2025: a refusal of the tool', base, call({ arguments: { fails: 'refused' } }, { id: 'a' })],
  ['2025: arguments that are not valid', base, call({ arguments: { wrods: 1 } })],
]

describe('a usual call is answered directly, as the library answers it', () => {
  for (const [what, headers, body] of usual)
    test(what, async () => {
      const { direct, library } = await answersTo(headers, body)
      assert.ok(direct !== undefined, 'it was left to the library')
      assert.deepEqual(direct, library)
      assert.equal(library.status, 200)
    })
})

const unusual: readonly Case[] = [
  ['another method', { ...modernHeaders, 'mcp-method': 'tools/list' }, modern({}, { method: 'tools/list' })],
  ['an unknown tool', { ...modernHeaders, 'mcp-name': 'other' }, modern({ name: 'other' })],
  ['no name', modernHeaders, modern({ name: undefined })],
  ['the header names another tool', { ...modernHeaders, 'mcp-name': 'other' }, modern()],
  ['the header with the name is missing', { ...modernHeaders, 'mcp-name': undefined }, modern()],
  ['the header names another method', { ...modernHeaders, 'mcp-method': 'tools/list' }, modern()],
  ['the version is missing in the headers', { ...modernHeaders, 'mcp-protocol-version': undefined }, modern()],
  ['the version is missing in the message', modernHeaders, call({})],
  ['two versions', { ...modernHeaders, 'mcp-protocol-version': '2025-11-25' }, modern()],
  ['a version of the future', modernHeaders, withMeta({ [`${META}/protocolVersion`]: '2030-01-01' })],
  ['a version that never was', { ...base, 'mcp-protocol-version': '2024-13-99' }, call({})],
  ['capabilities that are none', modernHeaders, withMeta({ [`${META}/clientCapabilities`]: 'all' })],
  ['no capabilities', modernHeaders, withMeta({ [`${META}/clientCapabilities`]: undefined })],
  ['client info that is none', modernHeaders, withMeta({ [`${META}/clientInfo`]: { name: 5 } })],
  ['a progress token that is none', modernHeaders, withMeta({ progressToken: { a: 1 } })],
  ['a progress token with a fraction', base, call({ _meta: { progressToken: 1.5 } })],
  ['other members of _meta', modernHeaders, withMeta({ 'example.org/note': 1 })],
  ['a log level', modernHeaders, withMeta({ [`${META}/logLevel`]: 'loud' })],
  ['arguments that are a list', modernHeaders, modern({ arguments: [1] })],
  ['arguments that are null', base, call({ arguments: null })],
  ['the answer to a question', modernHeaders, modern({ requestState: 'x' })],
  ['a task', base, call({ task: { ttl: 1 } })],
  ['no id', modernHeaders, modern({}, { id: undefined })],
  ['the id null', modernHeaders, modern({}, { id: null })],
  ['an id with a fraction', base, call({}, { id: 1.5 })],
  ['another JSON-RPC', modernHeaders, modern({}, { jsonrpc: '1.0' })],
  ['members beside those of JSON-RPC', modernHeaders, modern({}, { extra: 1 })],
  ['2025: accepts no stream', { ...legacyHeaders, accept: 'application/json' }, call({})],
  ['2025: accepts anything', { ...legacyHeaders, accept: '*/*' }, call({})],
  ['another type', { ...modernHeaders, 'content-type': 'text/plain' }, modern()],
  ['no type', { ...modernHeaders, 'content-type': undefined }, modern()],
  ['parameters that are a list', base, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: ['echo'] }],
]

describe('any other call is left to the library', () => {
  for (const [what, headers, body] of unusual)
    test(what, async () => {
      const message = readMessage(JSON.stringify(body))
      assert.equal(directCallIn(tools, headers, message), undefined)
    })
})
