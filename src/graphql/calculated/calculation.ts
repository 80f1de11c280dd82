// What calculates the rows of a function that the database only declares (`@calculated`).

import type { DataSchema } from '../../db/data-schema.ts'
import type { Sql } from '../../db/sql.ts'

/** Who asks, and what may be read for them: as the statement itself is read, by the same role. */
export interface Reading {
  /** Takes turns with others, should there be any. */
  readonly who: string
  /** Whether masjids are only listed: nobody asks for the days of each to be stored. */
  readonly listed?: boolean | undefined
  /** Of a prepared statement the text in the first column of the first row; nothing without a row. */
  read(query: Sql): Promise<string>
}

export interface Calculation<Question = unknown> {
  /** Pure, as a request may be prepared several times. @throws {Fault} `bad_request` that names the argument */
  read(given: Readonly<Record<string, unknown>>): Question
  /** As many rows as could be read instead. */
  costOf(question: Question): number
  /** Returns a list of objects in JSON, by the names of columns. @throws {Fault} `bad_request` */
  writeRows(reading: Reading, question: Question, wanted: WantedRows): Promise<string>
}

interface WantedRows {
  /** Whose function it is. */
  readonly schema: DataSchema
  /** Others are not read. */
  readonly columns: ReadonlySet<string>
}

/** By the function's name in the database. */
// biome-ignore lint/suspicious/noExplicitAny: each has a question of its own, which only it reads
export type Calculations = ReadonlyMap<string, Calculation<any>>

/** Rows that a statement is given as one of its parameters. */
export interface CalculatedRows {
  /** The place of the parameter. */
  readonly slot: number
  readonly cost: number
  readonly write: (reading: Reading) => Promise<string>
}
