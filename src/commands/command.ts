// What a command is: its name, its options, and what it does.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config/config.ts'

/** Options as they were typed; a repeated one is a list. */
export type Options = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

export interface Outcome {
  /** For people, on a terminal. */
  readonly text: string
  /** For programs, with `--json`. */
  readonly json: Readonly<Record<string, unknown>>
  /** The exit status, if it is not 0. */
  readonly status?: number
}

export interface CommandConfig extends Config {
  /** A line to standard error, so that programs can read the output. */
  readonly say: (text: string) => void
}

export interface Command {
  /** One or two words, such as `app create`. */
  readonly name: string
  readonly summary: string
  readonly usage: string
  readonly options: ParseArgsOptionsConfig
  /** Options that must be given. */
  readonly required: readonly string[]
  /** What stands in the line without a name, and is an option of this name. */
  readonly positional?: string
  readonly run: (options: Options, config: CommandConfig) => Promise<Outcome | undefined>
}

/** A usage error: exit status 2. */
export class UsageFault extends Error {}

export const textOption = (options: Options, name: string): string => {
  const value = options[name]
  if (typeof value !== 'string' || value === '') throw new UsageFault(`--${name} is missing.`)
  return value
}

export const optionalText = (options: Options, name: string): string | undefined => {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

export const textList = (options: Options, name: string): string[] => {
  const value = options[name]
  return Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)]
}
