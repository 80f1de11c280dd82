// A tool as assistants see it: a name, what it needs and takes, and what it does with a GraphQL operation of ours.
import type * as z from 'zod'
import type { Grant } from '../access/grant.ts'
import type { Scope } from '../access/scopes.ts'
import type { Ask } from './ask.ts'
import type { ChangeSteps } from './changes/change-steps.ts'

/** Who calls a tool, and with what. */
export interface Call {
  readonly grant: Grant
  readonly now: Date
  readonly ask: Ask
  readonly changes: ChangeSteps
}

export interface ToolAnswer {
  /** In plain English, a few lines: what a person would want to hear. */
  readonly words: string
  /** The same as data, in the form of the tool's output schema. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface Tool<Input = never> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly scopes: readonly Scope[]
  readonly writes: boolean
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType
  run(call: Call, input: Input): Promise<ToolAnswer>
}

/** Every tool, whatever it takes: its input has been checked by its own schema. */
export type AnyTool = Omit<Tool, 'input' | 'run'> & {
  readonly input: z.ZodType
  run(call: Call, input: unknown): Promise<ToolAnswer>
}

/** Ties the input of `run` to the schema that checks it. */
export const defineTool = <Schema extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Schema
    run(call: Call, input: z.output<Schema>): Promise<ToolAnswer>
  },
): AnyTool => tool as AnyTool
