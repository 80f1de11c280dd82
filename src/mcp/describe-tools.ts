// Tools → their descriptions in the protocol: schemas that need no references and no second type, which every client accepts.
import type { Tool as ToolDescription } from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { Tools } from './tools.ts'

type Schema = ToolDescription['inputSchema']

const schemaOf = (type: z.ZodType, io: 'input' | 'output'): Schema => {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, { io })
  return schema as Schema
}

export const describeTools = (tools: Tools): ToolDescription[] =>
  [...tools.values()].map(tool => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: schemaOf(tool.input, 'input'),
    outputSchema: schemaOf(tool.output, 'output'),
    annotations: {
      title: tool.title,
      readOnlyHint: !tool.writes,
      destructiveHint: tool.writes,
      idempotentHint: !tool.writes,
      openWorldHint: false,
    },
  }))
