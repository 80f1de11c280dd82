// A change → a tool in two steps: without a handle it tries the change and says what it would do; with the handle it makes it.
import * as z from 'zod'
import type { Scope } from '../../access/scopes.ts'
import { type AnyTool, type Call, defineTool, type ToolAnswer } from '../tool.ts'
import { withoutNulls } from '../words.ts'
import { type Basis, HANDLE_SECONDS } from './change-steps.ts'

interface Tried {
  /** What would change, in plain English. */
  readonly words: string
  readonly basis: Basis
}

interface ChangeTool<Shape extends z.ZodRawShape> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly input: Shape
  /** Makes the change and keeps nothing of it. */
  attempt(call: Call, input: z.output<z.ZodObject<Shape>>): Promise<Tried>
  /** Makes it, on the basis of the trial. @returns what was done, in plain English. */
  make(call: Call, input: z.output<z.ZodObject<Shape>>, basis: Basis): Promise<string>
}

const handleField = z
  .string()
  .max(100)
  .optional()
  .describe(
    'Leave it out at first: the tool then says what would change, and changes nothing. Once the person has agreed, call it again with the same arguments and the handle of that answer.',
  )

const output = z.object({
  status: z.enum(['tried', 'done']).describe('tried: nothing has changed yet'),
  what: z.string().describe('What would change, or what was changed'),
  handle: z.string().optional().describe('Works once, for the same arguments'),
  handle_expires_in_seconds: z.number().optional(),
  next_step: z.string().optional(),
})

const NEXT =
  'Nothing has changed yet. Show this to the person; if they agree, call again with the same arguments and the handle.'
const NO_NEXT = 'This is the sandbox: nothing is ever changed here.'

const triedAnswer = (what: string, handle: string | undefined): ToolAnswer => {
  const next = handle === undefined ? NO_NEXT : NEXT
  return {
    words: `${what}\n${next}${handle === undefined ? '' : `\nhandle: ${handle}`}`,
    data: withoutNulls({
      status: 'tried',
      what,
      handle,
      handle_expires_in_seconds: handle === undefined ? undefined : HANDLE_SECONDS,
      next_step: next,
    }),
  }
}

export const defineChangeTool = <Shape extends z.ZodRawShape>(tool: ChangeTool<Shape>): AnyTool => {
  const { name, title, description, scopes, attempt, make } = tool
  const content = z.strictObject(tool.input)
  return defineTool({
    name,
    title,
    description: `${description} Two steps: without a handle it only tries the change.`,
    scopes,
    writes: true,
    input: z.strictObject({ ...tool.input, handle: handleField }),
    output,
    run: async (call, sent) => {
      const { handle, ...rest } = sent as Record<string, unknown> & { readonly handle?: string }
      const input = content.parse(rest) as z.output<z.ZodObject<Shape>>
      const change = { tool: name, content: rest }
      if (handle === undefined) {
        const { words, basis } = await attempt(call, input)
        return triedAnswer(words, await call.changes.keep(change, basis))
      }
      const done = await make(call, input, await call.changes.take(handle, change))
      return { words: done, data: { status: 'done', what: done } }
    },
  })
}
