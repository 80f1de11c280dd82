// A row of a directory's file as it was read: nothing is checked yet.
import { Fault } from '../../base/fault.ts'

export interface RawRow {
  /** The line on which it begins. */
  readonly line: number
  /** How many characters it has: so much is kept of it, columns that are ignored included. */
  readonly size: number
  /** By name of the column: text in a table, any JSON value in GeoJSON. */
  readonly values: Readonly<Record<string, unknown>>
  /** Why it cannot be read; the next one can. */
  readonly unreadable?: { readonly column: string; readonly reason: string }
}

/** What a file gives, a piece at a time. */
export type RawRows = AsyncIterable<readonly RawRow[]>

/** A row, a feature or a line is not longer than this, in characters: nothing else has to fit into memory. */
export const LONGEST_ROW = 1_000_000

/** The file cannot be read on. @returns what to throw */
export const importRefused = (message: string, cause?: unknown): Fault =>
  new Fault({ code: 'import_refused', status: 422, message, cause })
