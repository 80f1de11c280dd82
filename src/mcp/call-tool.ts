// The name of a tool and its arguments → its answer in the protocol, or what is wrong with them in words.
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Grant } from '../access/grant.ts'
import { isWriteScope } from '../access/scopes.ts'
import { Fault } from '../base/fault.ts'
import type { Logger } from '../base/log.ts'
import { toFault } from '../base/to-fault.ts'
import type { AnyTool, Call } from './tool.ts'
import { ToolRefusal } from './tool-refusal.ts'
import type { Tools } from './tools.ts'

export interface CalledTool {
  readonly name: string
  readonly sent: unknown
}

/** The assistant reads it, and can call again. */
const refused = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/** No token can have such scopes before a reviewer has approved the host of the app: a challenge would lead nowhere. */
export const mayNotChange = (grant: Grant, { scopes }: Pick<AnyTool, 'scopes'>): boolean =>
  grant.ownRows === true && scopes.some(scope => isWriteScope(scope) && !grant.scopes.has(scope))

const ONLY_READS =
  'Apps of this host may only read until a reviewer of this service has approved it. The person can do this themselves on the website.'

/** A fault of ours has an id and nothing else. */
const explain = (error: unknown, id: string, log: Logger): CallToolResult => {
  if (error instanceof ToolRefusal) return refused(error.message)
  const fault = toFault(error, { id, log })
  return refused(error instanceof Fault || fault.status >= 500 ? fault.message : 'The call was refused.')
}

export const callTool = async (
  tools: Tools,
  { name, sent }: CalledTool,
  { call, id, log }: { readonly call: Call; readonly id: string; readonly log: Logger },
): Promise<CallToolResult> => {
  const tool = tools.get(name)
  if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${name}".`)
  if (mayNotChange(call.grant, tool)) return refused(ONLY_READS)
  const read = tool.input.safeParse(sent ?? {})
  if (!read.success) return refused(`The arguments are not valid.\n${z.prettifyError(read.error)}`)
  try {
    const { words, data } = await tool.run(call, read.data)
    return { content: [{ type: 'text', text: words }], structuredContent: { ...data } }
  } catch (error) {
    return explain(error, id, log)
  }
}
